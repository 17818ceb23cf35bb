// What a condition means, in words that people use, as far as it is made of what people mostly write: claims of
// readers and variables, compared with a value, joined with "and" and "or".
import { t } from "../words/words";

const path = "(?:visitor\\.claims\\.unsigned|visitor\\.claims|space\\.vars|page\\.vars)\\.[A-Za-z_$][\\w$.]*";
const literal = `"[^"\\\\]*"|'[^'\\\\]*'|-?\\d+(?:\\.\\d+)?|true|false`;

const bare = new RegExp(`^(!?)\\s*(${path})$`);
const compared = new RegExp(`^(${path})\\s*(===?|!==?|>=?|<=?)\\s*(${literal})$`);
const listed = new RegExp(`^(${literal})\\s+in\\s+(${path})$`);
const included = new RegExp(`^(!?)\\s*(${path})\\.includes\\(\\s*(${literal})\\s*\\)$`);

// nameOf is what a value is called: the last part of its path, with whose it is where that is not the reader.
export function nameOf(of: string): string {
  const [, root = "", name = ""] =
    /^(visitor\.claims\.unsigned|visitor\.claims|space\.vars|page\.vars)\.(.*)$/.exec(of) ?? [];
  if (root === "space.vars") return t("editor.meaning.space", { name });
  if (root === "page.vars") return t("editor.meaning.page", { name });
  return t("editor.meaning.claim", { name: name || of });
}

const valueOf = (text: string) => (/^["']/.test(text) ? `“${text.slice(1, -1)}”` : text);

function term(text: string): string | null {
  const [, not, name] = bare.exec(text) ?? [];
  if (name) return t(not ? "editor.meaning.not" : "editor.meaning.holds", { name: nameOf(name) });
  const [, left, operator, right] = compared.exec(text) ?? [];
  if (left && operator && right) {
    const values = { name: nameOf(left), value: valueOf(right) };
    if (operator.startsWith("==")) return t("editor.meaning.is", values);
    if (operator.startsWith("!=")) return t("editor.meaning.isNot", values);
    return t(
      {
        ">": "editor.meaning.more",
        ">=": "editor.meaning.least",
        "<": "editor.meaning.less",
        "<=": "editor.meaning.most",
      }[operator] as "editor.meaning.more",
      values,
    );
  }
  const [, value, list] = listed.exec(text) ?? [];
  if (value && list) return t("editor.meaning.has", { name: nameOf(list), value: valueOf(value) });
  const [, without, holder, part] = included.exec(text) ?? [];
  if (holder && part)
    return t(without ? "editor.meaning.hasNot" : "editor.meaning.has", { name: nameOf(holder), value: valueOf(part) });
  return null;
}

// cut splits an expression at an operator that stands outside of quotes and brackets, null where those do not match.
function cut(expression: string, operator: "||" | "&&"): string[] | null {
  const parts = [""];
  let quote = "";
  let depth = 0;
  for (let i = 0; i < expression.length; i++) {
    const each = expression[i]!;
    if (quote) {
      if (each === "\\") return null;
      if (each === quote) quote = "";
    } else if (each === '"' || each === "'") quote = each;
    else if (each === "(") depth++;
    else if (each === ")") depth--;
    else if (depth === 0 && expression.startsWith(operator, i)) {
      parts.push("");
      i++;
      continue;
    }
    if (depth < 0) return null;
    parts[parts.length - 1] += each;
  }
  return quote || depth ? null : parts.map((part) => part.trim());
}

// meaning says when an expression holds, null for one that cannot be said simply.
export function meaning(expression: string): string | null {
  const choices = cut(expression.trim().replace(/;$/, ""), "||");
  const said = choices?.map((choice) => {
    const terms = cut(choice, "&&")?.map(term);
    return terms && terms.every((each) => each !== null) ? terms.join(` ${t("editor.meaning.and")} `) : null;
  });
  if (!said || said.some((each) => each === null)) return null;
  return said.join(` ${t("editor.meaning.or")} `);
}
