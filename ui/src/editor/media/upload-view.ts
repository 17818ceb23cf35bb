// How a file on its way looks: the picture at its true size, or a card; how far it is; what can be done about it.
import { t, type Key } from "../../words/words";
import type { UploadFault } from "../services";
import { element } from "../views/dom";
import { sizeOf } from "./size";
import type { Sending } from "./uploads";

const reasons: Record<Exclude<UploadFault, "cancelled">, Key> = {
  network: "editor.upload.network",
  large: "editor.upload.large",
  type: "editor.upload.type",
  refused: "editor.upload.refused",
};

export function uploadView(id: string): { dom: HTMLElement; draw: (sending: Sending) => void } {
  const picture = element("img", { alt: "", class: "upload-picture" });
  const name = element("span", { class: "upload-name" });
  const said = element("span", { class: "upload-said", role: "status" });
  const bar = element("progress", { max: "1" });
  const acts = element("span", { class: "upload-acts" });
  const row = element("div", { class: "upload-row" }, element("span", { class: "upload-text" }, name, said), acts);
  const dom = element("div", { id, class: "upload", contenteditable: "false" }, picture, row, bar);
  picture.hidden = true;
  let shown = "";
  const draw = (sending: Sending) => {
    const { file, preview, part, fault, message } = sending;
    name.textContent = file.name;
    bar.setAttribute("aria-label", t("editor.upload.progress", { name: file.name }));
    bar.value = part;
    bar.hidden = fault !== null;
    dom.classList.toggle("is-failed", fault !== null);
    if (preview && picture.hidden) {
      picture.width = preview.width;
      picture.height = preview.height;
      picture.src = preview.address;
      picture.hidden = false;
    }
    const reason = fault && fault !== "cancelled" ? `${t(reasons[fault])} ${message}`.trim() : "";
    said.textContent =
      reason || (part < 1 ? `${Math.floor(part * 100)} % · ${sizeOf(file.size)}` : t("editor.upload.nearly"));
    // Buttons stay the same elements while the bar moves, so that one can press them.
    const state = `${fault}`;
    if (state === shown) return;
    shown = state;
    const act = (label: Key, run: () => void) => {
      const button = element("button", { type: "button", class: "upload-act" }, t(label));
      button.addEventListener("click", run);
      return button;
    };
    const offered: HTMLButtonElement[] = [];
    if (fault === "network" || fault === "refused") offered.push(act("failure.retry", () => sending.retry()));
    if (fault === "type" && sending.asFile) offered.push(act("editor.upload.file", () => sending.asFile?.()));
    offered.push(act(fault ? "editor.remove" : "look.cancel", () => sending.stop()));
    acts.replaceChildren(...offered);
  };
  return { dom, draw };
}
