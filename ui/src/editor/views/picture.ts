// A picture of a document as far as the editor can show it: files of the space are loaded, pictures of other hosts are
// named, since nothing is loaded from there.
import { t } from "../../words/words";
import type { Ref, Services } from "../services";
import { drawing, element } from "./dom";

// said is where a reference leads, as text.
export const said = (ref: Ref | undefined): string =>
  ref?.url ?? ref?.anchor ?? ref?.page ?? ref?.file ?? ref?.user ?? "";

const glyph = [
  "M21 15V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h6",
  "m21 15-3.1-3.1a2 2 0 0 0-2.8 0L6 21",
  "M9 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
];

export interface Picture {
  // parts are the elements that show it, for a view to place.
  parts: HTMLElement[];
  show(ref: Ref | undefined, dark: Ref | undefined, alt: string): void;
  // size sets the width, "" for that of the picture itself.
  size(width: string): void;
}

export function picture(services: Services): Picture {
  const light = element("img", { draggable: "false", decoding: "async" });
  const dark = element("img", { draggable: "false", decoding: "async", class: "dark-only" });
  const name = element("span", { class: "picture-address" });
  const note = element("span", { class: "picture-note" });
  const missing = element(
    "span",
    { class: "picture-missing" },
    drawing(...glyph),
    element("span", { class: "picture-said" }, name, note),
  );
  light.hidden = dark.hidden = true;
  let shown = "";
  const load = (image: HTMLImageElement, ref: Ref, now: string) =>
    services.fileAddress(ref).then(async (address) => {
      if (shown !== now || !address) return false;
      image.src = address;
      // What the file says of its size keeps the place while it loads.
      const file = ref.file ? await services.file(ref.file) : null;
      if (shown === now && file?.width && file.height) [image.width, image.height] = [file.width, file.height];
      image.hidden = false;
      return true;
    });
  const fail = (ref: Ref | undefined) => {
    const elsewhere = ref?.kind === "url" && /^https?:/i.test(ref.url ?? "");
    missing.hidden = false;
    name.textContent = said(ref);
    note.textContent = t(elsewhere ? "editor.image.elsewhere" : "editor.image.missing");
  };
  light.addEventListener("error", () => {
    light.hidden = true;
    fail({ url: light.alt });
  });
  return {
    parts: [light, dark, missing],
    show: (ref, refDark, alt) => {
      light.alt = dark.alt = alt;
      const now = JSON.stringify([ref, refDark]);
      if (now === shown) return;
      shown = now;
      light.hidden = dark.hidden = missing.hidden = true;
      light.classList.toggle("light-only", false);
      if (ref?.kind === "file") void load(light, ref, now).then((done) => !done && shown === now && fail(ref));
      else fail(ref);
      if (refDark)
        void load(dark, refDark, now).then((done) => shown === now && light.classList.toggle("light-only", done));
    },
    size: (width) => {
      for (const image of [light, dark]) image.style.width = width;
    },
  };
}
