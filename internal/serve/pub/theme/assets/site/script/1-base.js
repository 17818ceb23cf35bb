// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// What the others use: settings, words, making elements, drawing signs, remembering, announcing.
// Every page reads without any of it.

const root = document.documentElement;
const config = document.currentScript.dataset;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

const labels = {
  // Another language comes with the page; see the key "script" in words/*.json.
  copy: "Copy code", copied: "Copied", failed: "Could not copy",
  close: "Close", filter: "Filter rows", noRows: "No row matches.",
  search: "Search", empty: "No results for", tryAgain: "Try other words, or fewer of them.",
  error: "Search does not answer right now.", errorHint: "Check your connection and try again.",
  start: "Type to search all pages.", recent: "Recent", clear: "Clear",
  closest: "Closest matches", meant: "Did you mean", popular: "Popular",
  lightTheme: "light", darkTheme: "dark", systemTheme: "as the system", zoom: "Enlarge the image",
  one: "1 result", many: "%d results", diagram: "Diagram", toMove: "to move", toOpen: "to open", toClose: "to close",
  ...JSON.parse(config.words ?? "{}"),
};

// element makes a node: tag, properties (attributes when the name has a dash or is role/class), children.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const shapes = {
  search: "M21 21l-4.3-4.3M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
  copy: "M9 9h10a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM3 14V4a2 2 0 0 1 2-2h10",
  check: "M20 6 9 17l-5-5",
  close: "M18 6 6 18M6 6l12 12",
  page: "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8ZM14 2v6h6M8 13h8M8 17h5",
  hash: "M4 9h16M4 15h16M10 3 8 21M16 3l-2 18",
  clock: "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20ZM12 6v6l4 2",
};
function glyph(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const settings = {
    class: "glyph",
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  for (const [key, value] of Object.entries(settings)) svg.setAttribute(key, value);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
}

function remember(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage nothing is remembered, and nothing else changes.
  }
  return null;
}

const announcer = element("div", { class: "visually-hidden", role: "status" });
document.body.append(announcer);
const announce = (text) => { announcer.textContent = text; };

// hold keeps the page from scrolling behind something, without moving it where a scrollbar takes room.
function hold(still) {
  root.style.scrollbarGutter = still && innerWidth > root.clientWidth ? "stable" : "";
  root.style.overflow = still ? "hidden" : "";
}
