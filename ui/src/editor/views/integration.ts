// Blocks of integrations: drawn by their scripts, or a card of what they hold.
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import { DecorationSet, type EditorView, type NodeView, type NodeViewConstructor } from "@tiptap/pm/view";
import type { Action } from "../../kit/elements";
import type { Mounted } from "../../kit/mount";
import { t } from "../../words/words";
import type { Data } from "../document";
import { openForm } from "../forms/open";
import { datum } from "../nodes/kind";
import { around } from "../panels";
import { patch } from "./boxes";
import { Diagram } from "./diagram";
import { drawing, element } from "./dom";
import { card } from "./elsewhere";
import { lines, tool } from "./parts";
import { Source } from "./source";

const isDiagram = (node: Node) => datum(node, "integration") === "mermaid" && datum(node, "block") === "diagram";
const contentOf = (node: Node) => {
  const content = ((node.attrs["data"] as Data)["props"] as Data | undefined)?.["content"];
  return typeof content === "string" ? content : "";
};

export const integration: NodeViewConstructor = (first, view, getPos) =>
  isDiagram(first) ? diagramBlock(first, view, getPos) : scripted(first, view, getPos);

type Given = Parameters<NodeViewConstructor>;

const propsOf = (node: Node): Data => ((node.attrs["data"] as Data)["props"] ?? {}) as Data;

// scripted is a block that the script of its integration draws; where that is not installed, it shows what it holds.
const scripted = (first: Node, view: Given[1], getPos: Given[2]): NodeView => {
  const [name, block] = [datum(first, "integration"), datum(first, "block")];
  const place = element("div", { class: "kit-place" });
  const dom = element("div", { class: "kit-block", contenteditable: "false" }, place);
  let node = first;
  let held: NodeView | null = null;
  let kit: Mounted | null = null;
  let ended = false;
  const hold = () => {
    if (ended) return;
    held = integrationCard(node, view, getPos);
    dom.replaceChildren(held.dom);
  };
  const draw = async () => {
    const { services } = around(view);
    if (!(await services.blocks()).some((each) => each.integration === name)) return hold();
    const { mount } = await import("../../kit/mount");
    if (ended) return;
    const action = (node.attrs["data"] as Data)["action"] as Action | undefined;
    kit = mount(place, {
      integration: name,
      block,
      props: propsOf(node),
      action,
      draw: services.drawing(name, () => view.editable),
      specs: async () => (await services.specs()).map(({ slug }) => ({ id: slug, label: slug })),
      updateProps: (props) => view.editable && change(view, getPos, props),
      unfurled: (props) => view.editable && settle(view, getPos, props),
      onProperties: view.editable ? () => openForm(view, getPos, "integration") : null,
      onDrawn: (something) => dom.classList.toggle("is-nothing", !something),
    });
  };
  void draw().catch(hold);
  dom.addEventListener("editor-open", (event) => {
    const target = held
      ? null
      : place.querySelector<HTMLElement>("button:not([disabled]), a[href], input, select, textarea, iframe");
    if (!target) return;
    event.preventDefault();
    target.focus();
  });
  dom.addEventListener("keydown", (event) => {
    const pos = getPos();
    if (event.key !== "Escape" || event.defaultPrevented || pos === undefined || event.target === dom) return;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
    view.focus();
  });
  return {
    dom,
    update(next) {
      if (
        next.type.name !== "integration" ||
        datum(next, "integration") !== name ||
        datum(next, "block") !== block ||
        isDiagram(next)
      )
        return false;
      node = next;
      held?.update?.(next, [], DecorationSet.empty);
      kit?.given(propsOf(next));
      return true;
    },
    stopEvent: (event) => event.target instanceof Element && event.target.closest(inside) !== null,
    ignoreMutation: () => true,
    destroy() {
      ended = true;
      kit?.end();
    },
  };
};

// What of a block takes clicks and keys for itself.
const inside = "button, a, input, textarea, select, label, pre, iframe, [role=switch]";

// change writes properties as a step of its own to go back.
function change(view: EditorView, getPos: Given[2], props: Data): void {
  view.dispatch(closeHistory(view.state.tr));
  patch(view, getPos, { props });
}

// settle writes what an address has become. Going back takes away the block, not that.
function settle(view: EditorView, getPos: Given[2], props: Data): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const { action: _, ...data } = node.attrs["data"] as Data;
  view.dispatch(
    view.state.tr
      .setNodeMarkup(pos, undefined, { ...node.attrs, data: { ...data, props } })
      .setMeta("addToHistory", false),
  );
}

const integrationCard = (first: Node, view: Given[1], getPos: Given[2]): NodeView => {
  const name = element("span", { class: "box-name" });
  const open = () => openForm(view, getPos, "integration");
  const tools = element("span", { class: "box-tools" });
  if (view.editable) tools.append(tool(t("editor.integration.edit"), lines.pencil, open));
  const list = element("dl", { class: "box-list" });
  const dom = element(
    "div",
    { class: "block-integration card-box" },
    element("div", { class: "box-bar" }, drawing(...lines.blocks), name, tools),
    list,
  );
  const draw = (node: Node) => {
    name.textContent = `${datum(node, "integration")} / ${datum(node, "block")}`;
    const props = ((node.attrs["data"] as Data)["props"] ?? {}) as Data;
    list.replaceChildren(
      ...Object.entries(props).flatMap(([key, value]) => [
        element("dt", {}, key),
        element("dd", {}, (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 300)),
      ]),
    );
    list.hidden = list.childElementCount === 0;
  };
  return card("integration", dom, draw, first, open);
};

// A diagram of the integration is written and shown like one in code.
const diagramBlock = (first: Node, view: Given[1], getPos: Given[2]): NodeView => {
  const diagram = new Diagram();
  const dom = element("div", { class: "diagram-box" }, diagram.dom);
  const source = new Source(view, getPos, t("editor.diagram.source"), dom, (content) => {
    const pos = getPos();
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
    if (node) patch(view, getPos, { props: { ...((node.attrs["data"] as Data)["props"] as Data), content } });
  });
  dom.append(source.dom);
  diagram.dom.addEventListener("click", () => view.editable && source.focus());
  const draw = (node: Node) => {
    source.show(contentOf(node));
    diagram.draw(contentOf(node));
  };
  dom.setAttribute("contenteditable", "false");
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== "integration" || !isDiagram(node)) return false;
      draw(node);
      return true;
    },
    selectNode: () => source.selected(),
    deselectNode: () => source.unselected(),
    stopEvent: (event) => event.target === source.dom,
    ignoreMutation: () => true,
    destroy: () => diagram.destroy(),
  };
};
