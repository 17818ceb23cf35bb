// The views of files, embeds and references: cards as readers see them, with a caption to type.
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data } from "../document";
import { openForm, stands } from "../forms/openNode";
import { describe } from "../media/size";
import { datum } from "../nodes/kind";
import type { Ref, Services } from "../services";
import { kept } from "./boxes";
import { element } from "./dom";
import { iconInto } from "./icon";
import { optionsButton } from "./image";
import { lead } from "./lead";

const refOf = (node: Node) => (node.attrs["data"] as Data)["ref"] as Ref | undefined;

// card is the part that stands for something; a click selects it, its button opens the form.
function card(kind: string, view: EditorView, getPos: () => number | undefined, dom: () => HTMLElement) {
  const icon = element("span", { class: "icon", "aria-hidden": "true" });
  const title = element("span", { class: `${kind === "content-ref" ? kind : kind}-title ${kind}-name` });
  const note = element("span", {
    class: { file: "file-meta", embed: "embed-url", "content-ref": "content-ref-description" }[kind] ?? "",
  });
  const body = element("span", { class: `${kind}-body` }, title, note);
  const whole = element(
    "div",
    {
      class: `${kind === "content-ref" ? "block-content-ref" : `${kind}-link`} node-card`,
      contenteditable: "false",
      "data-anchor": "",
    },
    icon,
    body,
    optionsButton(() => openForm(view, getPos, dom())),
  );
  whole.addEventListener("mousedown", (event) => {
    if ((event.target as Element).closest("button, a")) return;
    event.preventDefault();
    const pos = getPos();
    if (pos === undefined) return;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
    view.focus();
  });
  whole.addEventListener("dblclick", () => openForm(view, getPos, dom()));
  return { whole, icon, title, note };
}

const captioned = (
  name: string,
  dom: HTMLElement,
  caption: HTMLElement,
  part: HTMLElement,
  draw: (node: Node) => void,
  first: Node,
): NodeView => {
  const drawAll = (node: Node) => {
    caption.classList.toggle("is-empty", node.childCount === 0);
    draw(node);
  };
  drawAll(first);
  return kept({ dom, contentDOM: caption }, name, drawAll, part);
};

export const file =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const { whole, icon, title, note } = card("file", view, getPos, () => dom);
    const caption = element("div", { class: "file-caption", "data-placeholder": t("editor.image.caption") });
    const dom = element("div", { class: "block-file" }, whole, caption);
    iconInto(icon, "file-arrow-down");
    stands(dom, getPos);
    let shown = "";
    const draw = (node: Node) => {
      const ref = refOf(node);
      if (JSON.stringify(ref) === shown) return;
      const now = (shown = JSON.stringify(ref));
      title.textContent = ref?.url?.split("/").pop() || t("editor.raw.file");
      note.textContent = ref?.url ?? "";
      if (ref?.kind !== "file" || !ref.file) return;
      void services.file(ref.file).then((found) => {
        if (shown !== now) return;
        title.textContent = found?.name ?? t("editor.raw.file");
        note.textContent = found ? describe(found.name, found.size) : t("editor.file.missing");
      });
    };
    return captioned("file", dom, caption, whole, draw, first);
  };

// On sites these become players when a reader asks for one. The app loads nothing from elsewhere, as its
// Content-Security-Policy says: the card shows what stands there, and its link plays it where it is.
const players = [
  { name: "YouTube", video: true, hosts: /^(youtube\.com|youtu\.be|m\.youtube\.com|youtube-nocookie\.com)$/ },
  { name: "Vimeo", video: true, hosts: /^vimeo\.com$/ },
  { name: "Loom", video: true, hosts: /^loom\.com$/ },
  { name: "CodePen", video: false, hosts: /^codepen\.io$/ },
  { name: "Figma", video: false, hosts: /^figma\.com$/ },
];

export const embed = (): NodeViewConstructor => (first, view, getPos) => {
  const { whole, icon, title, note } = card("embed", view, getPos, () => dom);
  const caption = element("figcaption", { "data-placeholder": t("editor.image.caption") });
  const dom = element("figure", { class: "block-embed" }, whole, caption);
  const open = element("a", { class: "node-options", target: "_blank", rel: "noopener noreferrer" });
  whole.lastElementChild!.before(open);
  stands(dom, getPos);
  const draw = (node: Node) => {
    const url = datum(node, "url");
    const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : "";
    const player = players.find(({ hosts }) => hosts.test(host));
    title.textContent = player
      ? player.video
        ? t("editor.embed.video", { name: player.name })
        : player.name
      : host
        ? t("editor.embed.from", { host })
        : t("editor.embed.none");
    open.hidden = host === "" || !/^https?:/i.test(url);
    if (open.hidden) open.removeAttribute("href");
    else open.href = url;
    open.title = t(player?.video ? "editor.embed.play" : "editor.embed.open");
    open.setAttribute("aria-label", open.title);
    iconInto(open, player?.video ? "play" : "arrow-up-right");
    note.textContent = url.replace(/^https?:\/\//, "");
    iconInto(icon, player ? "play" : "arrow-up-right");
    dom.classList.toggle("is-full", (node.attrs["data"] as Data)["fullWidth"] === true);
  };
  return captioned("embed", dom, caption, whole, draw, first);
};

export const contentRef =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const { whole: dom, icon, title, note } = card("content-ref", view, getPos, () => dom);
    stands(dom, getPos);
    let shown = "";
    const draw = (node: Node) => {
      const ref = refOf(node);
      if (JSON.stringify(ref) === shown) return;
      const now = (shown = JSON.stringify(ref));
      const put = ({ title: name, description, icon: drawn, emoji, missing }: ReturnType<typeof lead>) => {
        if (shown !== now) return;
        title.textContent = name;
        note.textContent = missing ? t("editor.ref.missing") : (description ?? "");
        dom.classList.toggle("is-broken", missing);
        if (emoji) icon.textContent = emoji;
        else iconInto(icon, drawn ?? (ref?.kind === "url" ? "arrow-up-right" : "page"));
      };
      put(lead(services, ref, (found) => put(found)));
    };
    draw(first);
    return {
      dom,
      update: (node) => {
        if (node.type.name !== "contentRef") return false;
        draw(node);
        return true;
      },
      stopEvent: (event) => event.target instanceof Element && event.target.closest("button") !== null,
      ignoreMutation: () => true,
    };
  };
