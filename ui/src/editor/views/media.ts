// Views of images and of what stands in a line without text of its own.
import type { Node } from "@tiptap/pm/model";
import type { NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data, JsonNode } from "../document";
import { plainText } from "../document";
import { datum } from "../nodes/kind";
import type { Services } from "../services";
import { kept, setData } from "./boxes";
import { element } from "./dom";

type Ref = { kind?: string; url?: string; page?: string; file?: string; anchor?: string; user?: string };

const refOf = (node: Node) => ((node.attrs["data"] as Data)["ref"] ?? {}) as Ref;

// said is where a reference leads, as text.
const said = (ref: Ref) => ref.url ?? ref.anchor ?? ref.page ?? ref.file ?? ref.user ?? "";

export const image =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const picture = element("img", { draggable: "true" });
    const missing = element("span", { class: "image-missing" });
    const alt = element("input", { class: "image-alt", "aria-label": t("editor.image.alt"), placeholder: t("editor.image.alt.ask") });
    const frame = element("div", { class: "image-frame", contenteditable: "false" }, picture, missing, alt);
    const caption = element("figcaption", { "data-placeholder": t("editor.image.caption") });
    const dom = element("figure", { class: "image" }, frame, caption);
    alt.addEventListener("input", () => setData(view, getPos, "alt", alt.value));
    alt.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") view.focus();
    });
    let shown = "";
    const draw = (node: Node) => {
      caption.classList.toggle("is-empty", node.childCount === 0);
      picture.alt = datum(node, "alt");
      if (alt.value !== picture.alt) alt.value = picture.alt;
      const ref = refOf(node);
      const name = JSON.stringify(ref);
      if (name === shown) return;
      shown = name;
      picture.hidden = true;
      missing.hidden = false;
      missing.textContent = said(ref);
      void services.fileAddress(ref).then((address) => {
        if (shown !== name || !address) return;
        picture.src = address;
        picture.hidden = false;
        missing.hidden = true;
      });
    };
    draw(first);
    return kept({ dom, contentDOM: caption }, "image", draw, frame);
  };

// atom shows an inline that is moved and deleted as a whole.
export const atom =
  (services: Services): NodeViewConstructor =>
  (node) => {
    const dom = element("span", { class: "atom" });
    const data = node.attrs["data"] as Data;
    const text = (name: string) => (typeof data[name] === "string" ? (data[name] as string) : "");
    switch (node.type.name) {
      case "emoji":
        dom.className = "emoji";
        dom.textContent = text("code").split("-").map((code) => String.fromCodePoint(Number.parseInt(code, 16) || 0xfffd)).join("");
        break;
      case "inlineMath":
        dom.append(element("code", { class: "math-source" }, text("formula")));
        break;
      case "expression":
        dom.append(element("code", { class: "expression" }, `{{ ${text("expression")} }}`));
        break;
      case "button":
        dom.className = `button button-${text("kind") || "primary"} button-${text("size") || "medium"}`;
        dom.textContent = text("label");
        break;
      case "mention":
        dom.className = "mention";
        dom.textContent = services.pageTitle(refOf(node).page ?? "") ?? said(refOf(node));
        break;
      case "inlineImage": {
        const picture = element("img", { class: `inline-image${text("size") === "line" ? " image-line" : ""}`, alt: text("alt") });
        dom.append(element("span", { class: "chip" }, text("alt") || said(refOf(node))));
        void services.fileAddress(refOf(node)).then((address) => {
          if (!address) return;
          picture.src = address;
          dom.replaceChildren(picture);
        });
        break;
      }
      default:
        dom.append(element("span", { class: "chip" }, text("icon") ? `:${text("icon")}:` : node.type.name));
    }
    return { dom };
  };

export const rawInline: NodeViewConstructor = (node) => {
  const json = node.attrs["json"] as JsonNode;
  const source = typeof json.data?.["source"] === "string" ? (json.data["source"] as string) : plainText(json);
  return { dom: element("span", { class: "chip", title: t("editor.raw.kept") }, source || (json.type ?? "")) };
};
