// What comes and goes through the clipboard. What was copied here comes back as it was; everything else passes through
// the schema, which knows no looks. Markdown is read when the text is nothing else.
import { DOMParser, DOMSerializer, Fragment, Slice, type DOMOutputSpec, type Mark, type Node, type ParseRule } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { clean } from "./paste/clean";
import { schema } from "./schema";

const own = "data-recto-node";
const attributes = "data-recto-attributes";
const hole = "data-recto-content";

// labelled is what a node or a mark is drawn as, with its name and attributes on it.
function labelled(spec: DOMOutputSpec, name: string, attrs: object): { dom: HTMLElement; contentDOM?: HTMLElement } {
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec);
  const outer = dom as HTMLElement;
  outer.setAttribute(own, name);
  outer.setAttribute(attributes, JSON.stringify(attrs));
  if (!contentDOM) return { dom: outer };
  contentDOM.setAttribute(hole, "");
  return { dom: outer, contentDOM };
}

export const clipboardSerializer = new DOMSerializer(
  Object.fromEntries(
    Object.values(schema.nodes)
      .filter((type) => type.name !== "doc")
      .map((type) => [type.name, (node: Node): DOMOutputSpec => (type.isText ? ((node.text ?? "") as unknown as DOMOutputSpec) : labelled(type.spec.toDOM!(node), type.name, node.attrs))]),
  ),
  Object.fromEntries(Object.values(schema.marks).map((type) => [type.name, (mark: Mark, inline: boolean) => labelled(type.spec.toDOM!(mark, inline), type.name, mark.attrs)])),
);

function stored(dom: HTMLElement): object | false {
  try {
    const value: unknown = JSON.parse(dom.getAttribute(attributes) ?? "");
    return typeof value === "object" && value !== null ? value : false;
  } catch {
    return false;
  }
}

// takenBy makes attributes pass the check that a node may have of them: who wrote a clipboard is not known.
const takenBy = (name: string) => (dom: HTMLElement): object | false => {
  const found = stored(dom);
  const takes = schema.nodes[name]!.spec["takes"] as ((attrs: object) => boolean) | undefined;
  return found && (takes?.(found) ?? true) ? found : false;
};

// inside returns what of an element holds the content of its node; what is further in is of other nodes.
function inside(dom: globalThis.Node): HTMLElement {
  const outer = dom as HTMLElement;
  return outer.hasAttribute(hole) ? outer : (outer.querySelector<HTMLElement>(`[${hole}]`) ?? outer);
}

const ours: ParseRule[] = [
  ...Object.keys(schema.nodes)
    .filter((name) => name !== "doc" && name !== "text")
    .map((name): ParseRule => ({ tag: `[${own}="${name}"]`, node: name, priority: 100, getAttrs: takenBy(name), contentElement: inside, preserveWhitespace: name === "codeBlock" ? "full" : true })),
  ...Object.keys(schema.marks).map((name): ParseRule => ({ tag: `[${own}="${name}"]`, mark: name, priority: 100, getAttrs: stored })),
];

export const clipboardParser = new DOMParser(schema, [...ours, ...DOMParser.fromSchema(schema).rules]);

// Signs of Markdown that are rare in other text, at the start of a line or around words.
const signs = /^(#{1,6} |[-*+] |\d{1,9}[.)] |> |```|\|.*\|$)|\*\*\S|\[[^\]]+\]\([^)\s]+\)|`[^`]+`/m;

// pasting reads Markdown that is pasted as plain text. onMarkdown turns it into HTML; it is loaded when it is needed.
export function pasting(onMarkdown: () => Promise<(source: string) => string>): Plugin {
  return new Plugin({
    props: {
      clipboardSerializer,
      clipboardParser,
      transformPastedHTML: clean,
      handlePaste(view, event) {
        const data = event.clipboardData;
        const text = data?.getData("text/plain") ?? "";
        const shift = (view as unknown as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
        const mode = data?.getData("vscode-editor-data");
        const { $from } = view.state.selection;
        const code = !shift && mode && text.trim().includes("\n") && $from.depth > 0 && !$from.parent.type.spec.code ? codeOf(text, mode) : null;
        if (code && $from.node(-1).canReplaceWith($from.index(-1), $from.indexAfter(-1), code.type)) {
          view.dispatch(view.state.tr.replaceSelection(new Slice(Fragment.from(code), 0, 0)).scrollIntoView().setMeta("paste", true));
          return true;
        }
        if (shift || data?.getData("text/html") || !signs.test(text) || $from.parent.type.spec.code) return false;
        void onMarkdown().then((render) => {
          const dom = new window.DOMParser().parseFromString(clean(render(text)), "text/html").body;
          const slice = clipboardParser.parseSlice(dom);
          view.dispatch(view.state.tr.replaceSelection(opened(slice)).scrollIntoView().setMeta("paste", true));
        });
        return true;
      },
    },
  });
}

// What Visual Studio Code calls languages that are called otherwise elsewhere.
const otherwise: Record<string, string> = { plaintext: "", shellscript: "bash", javascriptreact: "jsx", typescriptreact: "tsx", jsonc: "json" };

// codeOf is a block of the code that an editor of code has copied with the language that it is in.
function codeOf(text: string, data: string): Node {
  let language = "";
  try {
    const { mode } = JSON.parse(data) as { mode?: unknown };
    if (typeof mode === "string" && /^[\w+#-]{1,40}$/.test(mode)) language = otherwise[mode] ?? mode;
  } catch {
    // It is code all the same.
  }
  const pre = document.createElement("pre");
  if (language) pre.className = `language-${language}`;
  pre.textContent = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const body = document.createElement("div");
  body.append(pre);
  return clipboardParser.parse(body).firstChild!;
}

// A lone paragraph goes into the line that it is pasted into.
function opened(slice: Slice): Slice {
  const only = slice.content.childCount === 1 ? slice.content.firstChild : null;
  return only?.type.name === "paragraph" ? new Slice(Fragment.from(only), 1, 1) : slice;
}
