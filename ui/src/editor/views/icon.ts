// Icons of the dialect in the editor's own DOM. The drawings of most are loaded when the first is shown.
import { drawing } from "./dom";

// Those that cards and mentions have by themselves load nothing.
const own: Record<string, string[]> = {
  page: ["M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z", "M14 2v4a2 2 0 0 0 2 2h4", "M8 13h8", "M8 17h8"],
  file: ["M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z", "M14 2v4a2 2 0 0 0 2 2h4"],
  "file-arrow-down": [
    "M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z",
    "M14 2v4a2 2 0 0 0 2 2h4",
    "M12 18v-6",
    "m9 15 3 3 3-3",
  ],
  play: ["M6 4v16l13-8Z"],
  "arrow-up-right": ["M7 7h10v10", "M7 17 17 7"],
  hashtag: ["M4 9h16", "M4 15h16", "M10 3 8 21", "M16 3l-2 18"],
  user: ["M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2", "M12 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z"],
};

// iconInto draws the icon with a name. Of one that there is not, otherwise draws something else; without it its name
// shows.
export function iconInto(place: HTMLElement, name: string, otherwise?: () => void): void {
  place.dataset["icon"] = name;
  if (own[name]) {
    place.replaceChildren(drawing(...own[name]));
    return;
  }
  void import("../glyphs").then(async ({ glyph }) => {
    const svg = await glyph(name);
    if (place.dataset["icon"] !== name) return;
    if (svg) place.replaceChildren(svg);
    else if (otherwise) otherwise();
    else place.textContent = `:${name}:`;
  });
}
