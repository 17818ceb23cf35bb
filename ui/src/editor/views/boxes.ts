// Views of blocks that hold others and have something to choose: hints, tasks, tabs, code.
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data } from "../document";
import { datum } from "../nodes/kind";
import { codeView } from "./code";
import { drawing, element } from "./dom";

// within reports whether an event or a change is in a part that the view keeps for itself.
const within = (part: HTMLElement, target: EventTarget | null) => target instanceof globalThis.Node && part.contains(target);

// setData changes one value in the data of the node that a view shows; an empty one goes.
export function setData(view: EditorView, getPos: () => number | undefined, name: string, value: unknown): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const { [name]: _, ...data } = node.attrs["data"] as Data;
  if (value !== "" && value !== undefined) data[name] = value;
  view.dispatch(view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, data }));
}

// patch changes values in the data of the node that a view shows; those that are undefined go.
export function patch(view: EditorView, getPos: () => number | undefined, changes: Data): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const data = Object.fromEntries(Object.entries({ ...(node.attrs["data"] as Data), ...changes }).filter(([, value]) => value !== undefined));
  const selected = view.state.selection instanceof NodeSelection && view.state.selection.from === pos;
  const tr = view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, data });
  view.dispatch(selected ? tr.setSelection(NodeSelection.create(tr.doc, pos)) : tr);
}

const hintIcons: Record<string, string[]> = {
  info: ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z", "M12 16v-4", "M12 8h.01"],
  success: ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z", "m9 12 2 2 4-4"],
  warning: ["m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3Z", "M12 9v4", "M12 17h.01"],
  danger: ["M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86L7.86 2Z", "M12 8v4", "M12 16h.01"],
};

// The icon of a hint is a list to choose its style from.
export const hint: NodeViewConstructor = (first, view, getPos) => {
  const icon = element("span", { class: "icon hint-icon", "aria-hidden": "true" });
  const styles = ["info", "success", "warning", "danger"] as const;
  const select = element("select", { "aria-label": t("editor.hint.style"), class: "hint-select" }, ...styles.map((style) => element("option", { value: style }, t(`editor.hint.${style}`))));
  const choice = element("span", { class: "hint-choice", contenteditable: "false" }, icon, select);
  const body = element("div", { class: "hint-body" });
  const dom = element("div", {}, choice, body);
  select.addEventListener("change", () => setData(view, getPos, "style", select.value));
  const draw = (node: Node) => {
    const style = datum(node, "style") || "info";
    dom.className = `block-hint hint-${style}`;
    select.value = style;
    icon.replaceChildren(drawing(...(hintIcons[style] ?? hintIcons["info"]!)));
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "hint", draw, choice);
};

export const taskItem: NodeViewConstructor = (first, view, getPos) => {
  const box = element("input", { type: "checkbox", class: "task-box", contenteditable: "false" });
  const body = element("div", { class: "task-body" });
  const dom = element("li", {}, box, body);
  box.addEventListener("change", () => setData(view, getPos, "checked", box.checked));
  const draw = (node: Node) => {
    box.checked = (node.attrs["data"] as { checked?: boolean }).checked === true;
    box.setAttribute("aria-label", box.checked ? t("editor.task.done") : t("editor.task.open"));
    dom.className = box.checked ? "task is-done" : "task";
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "taskItem", draw, box);
};

// The title of a tab is typed above what the tab holds; all tabs of a group stand below each other while one edits.
export const tab: NodeViewConstructor = (first, view, getPos) => {
  const title = element("input", { class: "tab-title tab-input", "aria-label": t("editor.tab.title"), placeholder: t("editor.tab.title"), contenteditable: "false" });
  const panel = element("div", { class: "tab-panel" });
  const dom = element("div", { class: "tab" }, title, panel);
  title.addEventListener("input", () => setData(view, getPos, "title", title.value));
  const draw = (node: Node) => {
    if (title.value !== datum(node, "title")) title.value = datum(node, "title");
  };
  draw(first);
  return kept({ dom, contentDOM: panel }, "tab", draw, title);
};

const languages = ["bash", "c", "cpp", "csharp", "css", "diff", "docker", "go", "graphql", "hcl", "html", "ini", "java", "javascript", "json", "kotlin", "lua", "makefile", "markdown", "nginx", "php", "powershell", "python", "ruby", "rust", "scala", "shell", "sql", "swift", "toml", "tsx", "typescript", "xml", "yaml"];

export const codeBlock: NodeViewConstructor = (first, view, getPos, decorations) => {
  const select = element("select", { class: "code-language", "aria-label": t("editor.code.language") });
  const title = element("span", { class: "code-name" });
  const head = element("figcaption", { class: "code-head", contenteditable: "false" }, title, select);
  select.addEventListener("change", () => {
    setData(view, getPos, "syntax", select.value);
    view.focus();
  });
  let shown: string | null = null;
  const draw = (node: Node, dom: HTMLElement) => {
    const syntax = datum(node, "syntax");
    title.textContent = datum(node, "title");
    dom.classList.toggle("code-wrap", datum(node, "overflow") === "wrap");
    if (shown === syntax) return;
    shown = syntax;
    const offered = syntax && !languages.includes(syntax) ? [syntax, ...languages] : languages;
    select.replaceChildren(element("option", { value: "" }, t("editor.code.plain")), ...offered.map((name) => element("option", { value: name }, name)));
    select.value = syntax;
  };
  return codeView(head, draw, first, view, getPos, decorations);
};

// kept is a view that draws itself again for every node of its kind, and keeps a part of it from the editor.
export function kept(view: NodeView, name: string, draw: (node: Node) => void, part: HTMLElement): NodeView {
  return {
    ...view,
    update(node) {
      if (node.type.name !== name) return false;
      draw(node);
      return true;
    },
    stopEvent: (event) => within(part, event.target),
    ignoreMutation: (change) => change.type !== "selection" && !(view.contentDOM?.contains(change.target) ?? false),
  };
}
