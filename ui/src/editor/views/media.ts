// The views of what stands in a line without text of its own, as readers see it. A click opens what can be changed of
// it.
import type { Node } from "@tiptap/pm/model";
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { charactersOf } from "../../look/characters";
import { t } from "../../words/words";
import { plainText, type Data, type JsonNode } from "../document";
import { hasForm, openForm, stands } from "../forms/openNode";
import type { Ref, Services } from "../services";
import { element } from "./dom";
import { iconInto } from "./icon";
import { lead, type Lead } from "./lead";
import { said } from "./picture";

const refOf = (node: Node) => (node.attrs["data"] as Data)["ref"] as Ref | undefined;

const colours = /^\$?(green|blue|red|orange|yellow|purple|pink|violet|cyan|primary|info|success|warning|danger|tint)$/;

const iconOf = (name: string, colour = "") => {
  const icon = element("span", { class: `icon${colours.test(colour) ? ` color-${colour.replace("$", "")}` : ""}` });
  iconInto(icon, name);
  return icon;
};

type Draw = (dom: HTMLElement, text: (name: string) => string, node: Node, services: Services) => void;

const draws: Record<string, Draw> = {
  emoji: (dom, text) => {
    dom.className = "emoji atom";
    dom.textContent = charactersOf(text("code"));
  },
  icon: (dom, text) => {
    dom.className = "atom";
    dom.setAttribute("aria-label", text("icon"));
    dom.setAttribute("role", "img");
    dom.replaceChildren(iconOf(text("icon"), text("color")));
  },
  button: (dom, text, node) => {
    const { ref, action } = node.attrs["data"] as { ref?: unknown; action?: unknown };
    dom.className = `button button-${text("kind") === "secondary" ? "secondary" : "primary"} button-${/^(small|large)$/.exec(text("size"))?.[0] ?? "medium"}${ref || action ? "" : " is-disabled"}`;
    dom.replaceChildren(
      ...(text("icon") ? [iconOf(text("icon"))] : []),
      element("span", {}, text("label") || t("editor.form.button")),
    );
  },
  mention: (dom, _text, node, services) => {
    const now = said(refOf(node));
    dom.dataset["leads"] = now;
    const put = ({ title, icon, emoji, missing }: Lead) => {
      if (dom.dataset["leads"] !== now) return;
      dom.className = `mention${missing ? " is-broken" : ""}`;
      const before = emoji ? [element("span", { class: "emoji" }, emoji)] : icon ? [iconOf(icon)] : [];
      dom.replaceChildren(...before, title);
    };
    put(lead(services, refOf(node), put));
  },
  inlineImage: (dom, text, node, services) => {
    const line = text("size") === "line" ? " image-line" : "";
    const show = (ref: Ref | undefined, theme: string) =>
      services
        .fileAddress(ref ?? {})
        .then(
          (address) =>
            address &&
            element("img", {
              class: `inline-image${line}${theme}`,
              alt: text("alt"),
              src: address,
              draggable: "false",
            }),
        );
    dom.replaceChildren(
      element("span", { class: "chip" }, text("alt") || said(refOf(node)) || t("editor.form.inlineImage")),
    );
    const dark = (node.attrs["data"] as Data)["refDark"] as Ref | undefined;
    const now = JSON.stringify(node.attrs["data"]);
    dom.dataset["shows"] = now;
    void Promise.all([show(refOf(node), dark ? " light-only" : ""), dark ? show(dark, " dark-only") : null]).then(
      ([light, other]) => {
        if (!light || dom.dataset["shows"] !== now) return;
        if (!other) light.classList.remove("light-only");
        dom.replaceChildren(...(other ? [light, other] : [light]));
      },
    );
  },
};

// atom shows an inline that is moved and deleted as a whole.
export const atom =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const dom = element("span", { class: "atom" });
    // A form keeps hold of the view while what it changes is drawn again.
    const draw = (node: Node) => {
      const data = node.attrs["data"] as Data;
      const chosen = dom.classList.contains("ProseMirror-selectednode");
      draws[node.type.name]?.(
        dom,
        (name) => (typeof data[name] === "string" ? (data[name] as string) : ""),
        node,
        services,
      );
      if (chosen) dom.classList.add("ProseMirror-selectednode");
    };
    draw(first);
    if (hasForm(first)) {
      stands(dom, getPos);
      dom.addEventListener("click", (event) => {
        if (!event.shiftKey) openForm(view, getPos, dom);
      });
    }
    const update = (node: Node) => {
      if (node.type !== first.type) return false;
      draw(node);
      return true;
    };
    // What is drawn is no text of the document, and may be drawn again when an answer comes.
    return { dom, update, ignoreMutation: () => true };
  };

export const rawInline: NodeViewConstructor = (node) => {
  const json = node.attrs["json"] as JsonNode;
  const source = typeof json.data?.["source"] === "string" ? (json.data["source"] as string) : plainText(json);
  return { dom: element("span", { class: "chip", title: t("editor.raw.kept") }, source || (json.type ?? "")) };
};
