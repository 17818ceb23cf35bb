// What comes and goes through the clipboard. What was copied here comes back as it was; everything else passes through
// the schema, which knows no looks. Markdown is read when the text is nothing else; what has tags of the dialect is
// read by the server, which knows all of them.
import {
  DOMParser,
  DOMSerializer,
  Fragment,
  Slice,
  type DOMOutputSpec,
  type Mark,
  type Node,
  type ParseRule,
} from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { readDocument } from "./convert";
import type { JsonDocument } from "./document";
import { around } from "./panels";
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
      .map((type) => [
        type.name,
        (node: Node): DOMOutputSpec =>
          type.isText
            ? ((node.text ?? "") as unknown as DOMOutputSpec)
            : labelled(type.spec.toDOM!(node), type.name, node.attrs),
      ]),
  ),
  Object.fromEntries(
    Object.values(schema.marks).map((type) => [
      type.name,
      (mark: Mark, inline: boolean) => labelled(type.spec.toDOM!(mark, inline), type.name, mark.attrs),
    ]),
  ),
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
    .map((name): ParseRule => ({
      tag: `[${own}="${name}"]`,
      node: name,
      priority: 100,
      getAttrs: takenBy(name),
      contentElement: inside,
      preserveWhitespace: name === "codeBlock" ? "full" : true,
    })),
  ...Object.keys(schema.marks).map((name): ParseRule => ({
    tag: `[${own}="${name}"]`,
    mark: name,
    priority: 100,
    getAttrs: stored,
  })),
];

export const clipboardParser = new DOMParser(schema, [...ours, ...DOMParser.fromSchema(schema).rules]);

// Signs of Markdown that are rare in other text, at the start of a line or around words.
const signs = /^(#{1,6} |[-*+] |\d{1,9}[.)] |> |```|\|.*\|$)|\*\*\S|\[[^\]]+\]\([^)\s]+\)|`[^`]+`/m;

// Signs of what Markdown alone does not know: tags, elements of HTML at the start of a line, expressions.
const dialect = /^\s*(\{%|<[a-z])|\{\{/m;

// patience is for how many milliseconds the server may read.
const patience = 3000;

// Where what was pasted will stand when it has been read; what is typed meanwhile comes after it.
type Place = { id: object; from: number; to: number };
const places = new PluginKey<readonly Place[]>("pasting");
type Change = { add: Place } | { remove: object };

// pasting reads Markdown that is pasted as plain text. onMarkdown turns it into HTML; it is loaded when it is needed.
export function pasting(onMarkdown: () => Promise<(source: string) => string>): Plugin {
  return new Plugin<readonly Place[]>({
    key: places,
    state: {
      init: () => [],
      apply(tr, before) {
        const change = tr.getMeta(places) as Change | undefined;
        const kept = change && "remove" in change ? before.filter(({ id }) => id !== change.remove) : before;
        const moved = kept.map(({ id, from, to }) => {
          const start = tr.mapping.map(from, -1);
          return { id, from: start, to: Math.max(start, tr.mapping.map(to, -1)) };
        });
        return change && "add" in change ? [...moved, change.add] : moved;
      },
    },
    props: {
      clipboardSerializer,
      clipboardParser,
      transformPastedHTML: clean,
      handlePaste(view, event) {
        const data = event.clipboardData;
        const text = data?.getData("text/plain") ?? "";
        const shift = (view as unknown as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
        const language = languageOf(data?.getData("vscode-editor-data") ?? "");
        const markdown = language === "markdown" || language === "mdx";
        const { $from } = view.state.selection;
        if (shift || $from.parent.type.spec.code) return false;
        const code =
          language !== null && !markdown && text.trim().includes("\n") && $from.depth > 0
            ? codeOf(text, language)
            : null;
        if (code && $from.node(-1).canReplaceWith($from.index(-1), $from.indexAfter(-1), code.type)) {
          view.dispatch(
            view.state.tr
              .replaceSelection(new Slice(Fragment.from(code), 0, 0))
              .scrollIntoView()
              .setMeta("paste", true),
          );
          return true;
        }
        if ((!markdown && data?.getData("text/html")) || !(signs.test(text) || dialect.test(text))) return false;
        const { from, to } = view.state.selection;
        const id = {};
        view.dispatch(view.state.tr.setMeta(places, { add: { id, from, to } } satisfies Change));
        void read(view, text.replace(/\r\n?/g, "\n"), onMarkdown).then((slice) => put(view, id, slice));
        return true;
      },
    },
  });
}

// read makes of a text in Markdown what is pasted. Without the server, tags stay text.
async function read(
  view: EditorView,
  text: string,
  onMarkdown: () => Promise<(source: string) => string>,
): Promise<Slice> {
  if (dialect.test(text)) {
    const found = await within(patience, around(view).services.markdown(`# -\n\n${text}`));
    const slice = found && sliceOf(found);
    if (slice) return slice;
  }
  const render = await onMarkdown();
  return clipboardParser.parseSlice(new window.DOMParser().parseFromString(clean(render(text)), "text/html").body);
}

// sliceOf returns the blocks of a document, null where there are none.
function sliceOf(document: JsonDocument): Slice | null {
  try {
    return document.nodes.length > 0 ? new Slice(readDocument(document).content, 0, 0) : null;
  } catch {
    return null;
  }
}

// put pastes what was read where the cursor was.
function put(view: EditorView, id: object, slice: Slice): void {
  const place = view.isDestroyed ? undefined : places.getState(view.state)?.find((each) => each.id === id);
  if (!place) return;
  const { tr, selection } = view.state;
  const stays = selection.from >= place.from && selection.to <= place.to;
  const behind = tr.doc.content.size - place.to;
  tr.replaceRange(place.from, place.to, opened(slice));
  // The cursor goes behind what was pasted, unless somebody has gone elsewhere meanwhile.
  if (stays) tr.setSelection(TextSelection.near(tr.doc.resolve(tr.doc.content.size - behind), -1));
  view.dispatch(tr.scrollIntoView().setMeta(places, { remove: id } satisfies Change).setMeta("paste", true));
}

// within answers null for what fails or takes longer.
function within<T>(milliseconds: number, asked: Promise<T | null>): Promise<T | null> {
  return Promise.race([asked.catch(() => null), new Promise<null>((done) => setTimeout(done, milliseconds, null))]);
}

// What Visual Studio Code calls languages that are called otherwise elsewhere.
const otherwise: Record<string, string> = {
  plaintext: "",
  shellscript: "bash",
  javascriptreact: "jsx",
  typescriptreact: "tsx",
  jsonc: "json",
};

// languageOf returns what Visual Studio Code says that the copied text is written in, "" for plain text, null when the
// text is of another program.
function languageOf(data: string): string | null {
  if (data === "") return null;
  try {
    const { mode } = JSON.parse(data) as { mode?: unknown };
    return typeof mode === "string" && /^[\w+#-]{1,40}$/.test(mode) ? (otherwise[mode] ?? mode) : "";
  } catch {
    return "";
  }
}

// codeOf is a block of code.
function codeOf(text: string, language: string): Node {
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
