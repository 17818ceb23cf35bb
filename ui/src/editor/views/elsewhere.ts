// Cards of what is elsewhere: reusable contents with what they hold, and parts of an API.
import type { Node } from "@tiptap/pm/model";
import type { NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data } from "../document";
import { openForm, type FormName } from "../forms/open";
import { detach, editReusable } from "../forms/reusable";
import { datum } from "../nodes/kind";
import { around } from "../panels";
import type { Ref } from "../services";
import { Session } from "../session";
import { drawing, element } from "./dom";
import { lines, tool } from "./parts";

export const refOf = (node: Node): Ref => ((node.attrs["data"] as Data)["ref"] ?? {}) as Ref;

// card is the view of a block that is drawn anew when its data changes, and opens something.
export function card(
  name: string,
  dom: HTMLElement,
  draw: (node: Node) => void,
  first: Node,
  open: () => void,
): NodeView {
  dom.setAttribute("contenteditable", "false");
  dom.addEventListener("editor-open", (event) => {
    event.preventDefault();
    open();
  });
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== name) return false;
      draw(node);
      return true;
    },
    stopEvent: (event) =>
      event.target instanceof Element && event.target.closest("button, textarea, [data-inner]") !== null,
    ignoreMutation: () => true,
  };
}

// inner is a place for content that is shown and not written here.
function inner(): HTMLElement {
  return element("div", { class: "reusable-body", "data-inner": "" });
}

export const reusable: NodeViewConstructor = (first, view, getPos) => {
  const { services } = around(view);
  const title = element("span", { class: "box-name" });
  const tools = element("span", { class: "box-tools" });
  if (view.editable) {
    const open = element("button", { type: "button", class: "box-button" }, t("editor.reusable.edit"));
    open.addEventListener("click", () => editReusable(view, getPos));
    const out = element("button", { type: "button", class: "box-button" }, t("editor.reusable.detach"));
    out.addEventListener("click", () => void detach(view, getPos));
    tools.append(open, out);
  }
  const body = inner();
  const dom = element(
    "div",
    { class: "block-reusable card-box" },
    element("div", { class: "box-bar" }, drawing(...lines.repeat), title, tools),
    body,
  );
  let last = first;
  let shown = "";
  let destroy = () => {};
  const draw = (node: Node) => {
    const { reusableContent: id = "", space } = refOf(node);
    if (shown === `${space} ${id}`) return;
    last = node;
    shown = `${space} ${id}`;
    const now = shown;
    title.textContent = t("editor.reusable");
    const asked = space ? Promise.resolve(null) : services.reusable(id);
    void asked.then(
      (found) => {
        if (shown !== now) return;
        destroy();
        body.replaceChildren();
        title.textContent = found?.title ?? t("editor.reusable");
        dom.classList.toggle("is-broken", !found);
        if (!found)
          return body.append(
            element("p", { class: "box-note" }, t(space ? "editor.reusable.other" : "editor.reusable.gone")),
          );
        const inside = new Session(body, {
          document: found.document,
          editable: false,
          label: found.title,
          placeholder: { page: "", other: "" },
          services,
          onChange: () => undefined,
        });
        for (const name of ["role", "aria-multiline", "tabindex"]) inside.view.dom.removeAttribute(name);
        destroy = () => inside.view.destroy();
      },
      () => shown === now && body.replaceChildren(element("p", { class: "box-note" }, t("editor.reusable.failed"))),
    );
  };
  dom.addEventListener("editor-refresh", () => {
    shown = "";
    draw(last);
  });
  const made = card("reusable", dom, draw, first, () => editReusable(view, getPos));
  return {
    ...made,
    destroy: () => {
      shown = "";
      destroy();
    },
  };
};

const forms: Record<string, FormName> = {
  apiOperation: "apiOperation",
  apiSchemas: "apiSchemas",
  apiWebhook: "apiWebhook",
  swagger: "swagger",
};

export const api: NodeViewConstructor = (first, view, getPos) => {
  const { services } = around(view);
  const method = element("span", { class: "openapi-method" });
  const path = element("code", { class: "openapi-path" });
  const summary = element("span", { class: "box-note" });
  const tools = element("span", { class: "box-tools" });
  const open = () => openForm(view, getPos, forms[first.type.name]!);
  if (view.editable) tools.append(tool(t("editor.api.edit"), lines.pencil, open));
  const dom = element(
    "div",
    { class: "block-openapi card-box" },
    element("div", { class: "openapi-head" }, method, path, summary, tools),
  );
  let last: Node | null = null;
  const draw = (node: Node) => {
    last = node;
    const ref = refOf(node);
    const data = node.attrs["data"] as { schemas?: string[] };
    const name = datum(node, "path") || datum(node, "name") || (data.schemas ?? []).join(", ");
    method.textContent = datum(node, "method");
    method.className = `openapi-method method-${/^[a-z]+$/i.exec(datum(node, "method"))?.[0].toLowerCase() ?? "none"}`;
    method.hidden = datum(node, "method") === "";
    path.textContent = name || t(ref.spec || ref.url || ref.file ? "editor.api.part" : "editor.api.empty");
    summary.textContent = ref.spec ?? ref.url ?? "";
    if (!ref.spec) return;
    void services.described(ref.spec).then(
      (found) => {
        if (last !== node) return;
        const all = node.type.name === "apiWebhook" ? found?.webhooks : found?.operations;
        const one = all?.find((each) => each.path === name && each.method === datum(node, "method").toLowerCase());
        summary.textContent = one?.summary || found?.title || ref.spec!;
      },
      () => undefined,
    );
  };
  return card(first.type.name, dom, draw, first, open);
};
