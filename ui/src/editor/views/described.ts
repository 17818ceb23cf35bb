// The view of an operation that the page describes itself: its head as readers see it, and below it the blocks of what
// is said of it.
import type { Node } from "@tiptap/pm/model";
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { openForm } from "../forms/open";
import { datum } from "../nodes/kind";
import { kept } from "./boxes";
import { element } from "./dom";
import { lines, tool } from "./parts";
import { opened } from "./special";

// addressOf is where the operation is, as readers see it.
export function addressOf(base: string, path: string): string {
  if (!base || !path) return base + path;
  return `${base.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}

export const described: NodeViewConstructor = (first, view, getPos) => {
  const title = element("span", { class: "openapi-title" });
  const method = element("span", { class: "openapi-method" });
  const path = element("code", { class: "openapi-path", dir: "ltr" });
  const open = () => openForm(view, getPos, "apiDescribed");
  const tools = element("span", { class: "box-tools" }, tool(t("editor.api.change"), lines.pencil, open));
  const head = element(
    "div",
    { class: "openapi-head", contenteditable: "false", "data-anchor": "" },
    title,
    method,
    path,
    tools,
  );
  const body = element("div", { class: "openapi-body" });
  const dom = element("div", { class: "block-openapi is-described" }, head, body);
  const draw = (node: Node) => {
    const name = datum(node, "method");
    title.textContent = datum(node, "title");
    title.hidden = title.textContent === "";
    method.textContent = name;
    method.hidden = name === "";
    method.className = `openapi-method method-${/^[a-z]+$/i.exec(name)?.[0].toLowerCase() ?? "none"}`;
    path.textContent = addressOf(datum(node, "baseUrl"), datum(node, "path")) || t("editor.api.unnamed");
  };
  draw(first);
  return opened(kept({ dom, contentDOM: body }, "apiDescribed", draw, head), open);
};
