// The head of a code block: its title, its language, and its options.
import type { Node } from "@tiptap/pm/model";
import type { EditorView, NodeViewConstructor } from "@tiptap/pm/view";
import { createElement } from "react";
import { t } from "../../words/words";
import { openOptions } from "../blocks/options";
import { fits } from "../fuzzy";
import { datum } from "../nodes/kind";
import { around } from "../panels";
import { Picker } from "../picker/Picker";
import { setData } from "./boxes";
import { codeView } from "./code";
import { drawing, element } from "./dom";
import { dots } from "./tabs";

// The languages that are offered, by the names in the document, with what else they are called.
const languages: Record<string, string> = {
  bash: "Bash, sh, shell, zsh",
  c: "C",
  cpp: "C++",
  csharp: "C#, cs, dotnet",
  css: "CSS",
  dart: "Dart",
  diff: "Diff, patch",
  docker: "Dockerfile",
  elixir: "Elixir",
  go: "Go, golang",
  graphql: "GraphQL",
  groovy: "Groovy",
  haskell: "Haskell",
  hcl: "HCL, Terraform",
  html: "HTML",
  http: "HTTP",
  ini: "INI, properties",
  java: "Java",
  javascript: "JavaScript, js, jsx, node",
  json: "JSON",
  julia: "Julia",
  kotlin: "Kotlin",
  lua: "Lua",
  makefile: "Makefile",
  markdown: "Markdown, md",
  mermaid: "Mermaid, diagram",
  nginx: "nginx",
  perl: "Perl",
  php: "PHP",
  powershell: "PowerShell, ps1",
  protobuf: "Protocol Buffers",
  python: "Python, py",
  r: "R",
  ruby: "Ruby, rb",
  rust: "Rust, rs",
  scala: "Scala",
  scss: "SCSS, Sass",
  shell: "Shell, console",
  sql: "SQL, postgres, mysql",
  swift: "Swift",
  toml: "TOML",
  tsx: "TSX, React",
  typescript: "TypeScript, ts",
  xml: "XML, svg",
  yaml: "YAML, yml",
};

const nameOf = (syntax: string) => (languages[syntax] ?? syntax).split(",")[0]!;

// found returns the languages that answer some words; a name that nobody knows can be used as well.
function found(words: string) {
  const plain = { id: "plain", title: t("editor.code.plain"), value: "" };
  const known = Object.entries(languages)
    .map(([id, names]) => ({
      id,
      title: names.split(",")[0]!,
      value: id,
      score: Math.max(fits(words, names), fits(words, id)),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const own =
    /^[\w+#.-]{1,50}$/.test(words) && !languages[words.toLowerCase()]
      ? [{ id: "own", title: words, value: words }]
      : [];
  return [...(fits(words, plain.title) > 0 ? [plain] : []), ...known, ...own];
}

function choose(view: EditorView, getPos: () => number | undefined, button: HTMLElement): void {
  around(view).panels.open({
    label: t("editor.code.language"),
    anchor: () => button.getBoundingClientRect(),
    body: (close) =>
      createElement(Picker<string>, {
        label: t("editor.code.language"),
        search: found,
        onChoose: (syntax) => {
          setData(view, getPos, "syntax", syntax);
          close();
        },
        onCancel: close,
      }),
  });
}

export const codeBlock: NodeViewConstructor = (first, view, getPos, decorations) => {
  const title = element("input", {
    class: "code-name",
    "aria-label": t("blocks.code.title"),
    placeholder: t("blocks.code.title"),
    spellcheck: "false",
  });
  const name = element("span");
  const language = element("button", { type: "button", class: "code-language" }, name, drawing("m6 9 6 6 6-6"));
  const options = element(
    "button",
    { type: "button", class: "part-button", "aria-label": t("blocks.options", { kind: t("editor.code") }) },
    dots(),
  );
  const head = element("figcaption", { class: "code-head", contenteditable: "false" }, title, language, options);
  title.addEventListener("input", () => setData(view, getPos, "title", title.value));
  title.addEventListener(
    "keydown",
    (event) => (event.key === "Enter" || event.key === "Escape") && !event.isComposing && view.focus(),
  );
  language.addEventListener("click", () => choose(view, getPos, language));
  options.addEventListener("click", () => {
    const pos = getPos();
    if (pos !== undefined) openOptions(view, pos, options);
  });
  const draw = (node: Node, dom: HTMLElement) => {
    const syntax = datum(node, "syntax");
    if (title.value !== datum(node, "title")) title.value = datum(node, "title");
    title.readOnly = language.disabled = !view.editable;
    options.hidden = !view.editable;
    name.textContent = syntax ? nameOf(syntax) : t("editor.code.plain");
    language.setAttribute("aria-label", `${t("editor.code.language")}: ${name.textContent}`);
    const { lineNumbers, fullWidth } = node.attrs["data"] as { lineNumbers?: boolean; fullWidth?: boolean };
    dom.classList.toggle("code-wrap", datum(node, "overflow") === "wrap");
    dom.classList.toggle("has-numbers", lineNumbers === true);
    dom.classList.toggle("is-full", fullWidth === true);
  };
  return codeView(head, draw, first, view, getPos, decorations);
};
