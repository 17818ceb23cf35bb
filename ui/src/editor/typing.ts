// What typing turns into blocks and marks: Markdown, as far as people type it.
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "@tiptap/pm/inputrules";
import { findWrapping } from "@tiptap/pm/transform";
import { TextSelection, type Plugin } from "@tiptap/pm/state";
import { ancestor, list, type } from "./commands";
import { schema } from "./schema";

// marked is a rule for words between delimiters. The pattern has two groups: the words with and without them.
function marked(pattern: RegExp, name: string): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [all, outer = "", inner = ""] = match;
    const from = start + all.indexOf(outer);
    const words = from + outer.indexOf(inner);
    if (state.doc.rangeHasMark(from, end, schema.marks["code"]!)) return null;
    const tr = state.tr.delete(words + inner.length, end).delete(from, words);
    const to = from + inner.length;
    return tr.addMark(from, to, schema.marks[name]!.create()).removeStoredMark(schema.marks[name]!);
  });
}

const linked = new InputRule(/\[([^\]]+)\]\((\S+)\)$/, (state, match, start, end) => {
  const [, words = "", url = ""] = match;
  if (/^\s*(javascript|data|vbscript):/i.test(url)) return null;
  const tr = state.tr.delete(start + 1 + words.length, end).delete(start, start + 1);
  return tr
    .addMark(start, start + words.length, schema.marks["link"]!.create({ data: { ref: { kind: "url", url } } }))
    .removeStoredMark(schema.marks["link"]!);
});

// A line of three dashes or stars is a divider, with a line below to go on.
const ruled = new InputRule(/^(?:---|\*\*\*|___)$/, (state, _match, start) => {
  const $start = state.doc.resolve(start);
  if (
    $start.parent.type.name !== "paragraph" ||
    !$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type("divider"))
  )
    return null;
  const at = $start.before();
  const tr = state.tr.replaceWith(at, $start.after(), [type("divider").create(), type("paragraph").create()]);
  return tr.setSelection(TextSelection.create(tr.doc, at + 2));
});

// A box at the start of a line, also in a list, makes tasks of it.
const boxed = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const checked = match[1]?.toLowerCase() === "x";
  const tr = state.tr.delete(start, end);
  const $start = tr.doc.resolve(start);
  const changed = state.apply(tr);
  if (ancestor(changed, (node) => node.type.isInGroup("list"))) {
    if (ancestor(changed, (node) => node.type.name === "listTasks")) return null;
    let result = null as typeof tr | null;
    list("listTasks")(changed, (made) => (result = made));
    if (!result) return null;
    for (const step of result.steps) tr.step(step);
    return tr.setSelection(TextSelection.create(tr.doc, start));
  }
  const range = $start.blockRange();
  const wrapping = range && findWrapping(range, type("listTasks"));
  if (!wrapping) return null;
  return tr.wrap(
    range,
    wrapping.map((each) => (each.type.name === "taskItem" ? { ...each, attrs: { data: { checked } } } : each)),
  );
});

const hints: Record<string, string> = {
  note: "info",
  info: "info",
  tip: "success",
  success: "success",
  important: "warning",
  warning: "warning",
  caution: "danger",
  danger: "danger",
};

// ":::warning" begins a hint, and "[!WARNING]" in a quote makes one of it, as other dialects write them.
const fenced = new InputRule(/^(?::::|!!!)\s?(\w+)\s$/, (state, match, start, end) => {
  const style = hints[match[1]!.toLowerCase()];
  const tr = state.tr.delete(start, end);
  const range = tr.doc.resolve(start).blockRange();
  const wrapping = style && range && findWrapping(range, type("hint"), { data: { style } });
  return wrapping ? tr.wrap(range, wrapping) : null;
});
const alert = new InputRule(/^\[!(\w+)\]\s?$/, (state, match, start, end) => {
  const style = hints[match[1]!.toLowerCase()];
  const quote = ancestor(state, (node) => node.type.name === "blockquote");
  if (!style || !quote || quote.pos + 2 !== start) return null;
  const tr = state.tr.delete(start, end);
  return tr.setNodeMarkup(quote.pos, type("hint"), { data: { style }, meta: null });
});

const formula = new InputRule(/\$\$([^$\n]+)\$\$$/, (state, match, start, end) =>
  state.tr.replaceWith(start, end, type("inlineMath").create({ data: { formula: match[1] } })),
);

// The words are not part of the delimiters, and do not begin or end with a space.
const words = (mark: string) => `[^${mark}\\s](?:[^${mark}]*[^${mark}\\s])?`;

export function typing(): Plugin {
  return inputRules({
    rules: [
      // The title of the page is "#", so "##" is the largest heading of a text; one that is typed alone means that,
      // too.
      textblockTypeInputRule(/^##?\s$/, type("heading1")),
      textblockTypeInputRule(/^###\s$/, type("heading2")),
      textblockTypeInputRule(/^####\s$/, type("heading3")),
      textblockTypeInputRule(/^```([\w+#.-]*)\s$/, type("codeBlock"), (match) => ({
        data: match[1] ? { syntax: match[1] } : {},
      })),
      boxed,
      wrappingInputRule(/^[-*+]\s$/, type("listUnordered")),
      wrappingInputRule(
        /^(\d{1,9})[.)]\s$/,
        type("listOrdered"),
        (match) => ({ data: match[1] === "1" ? {} : { start: Number(match[1]) } }),
        (match, node) => node.childCount + ((node.attrs["data"] as { start?: number }).start ?? 1) === Number(match[1]),
      ),
      wrappingInputRule(/^>\s$/, type("blockquote")),
      fenced,
      alert,
      ruled,
      marked(new RegExp(`(?:^|[^*])(\\*\\*(${words("*")})\\*\\*)$`), "bold"),
      marked(new RegExp(`(?:^|[^\\w_])(__(${words("_")})__)$`), "bold"),
      marked(new RegExp(`(?:^|[^*])(\\*(${words("*")})\\*)$`), "italic"),
      marked(new RegExp(`(?:^|[^\\w_])(_(${words("_")})_)$`), "italic"),
      marked(/(?:^|[^`])(`([^`]+)`)$/, "code"),
      marked(new RegExp(`(?:^|[^~])(~~(${words("~")})~~)$`), "strikethrough"),
      linked,
      formula,
    ],
  });
}
