// The icons that content can name: Font Awesome's names with the drawings that sites show for them. They are those of
// the program, in a file of their own that is loaded when a page shows its first icon.
const svg = "http://www.w3.org/2000/svg";

interface Glyphs {
  drawings: Map<string, string>;
  aliases: Map<string, string>;
}

let loaded: Promise<Glyphs> | null = null;

function load(): Promise<Glyphs> {
  loaded ??= Promise.all([
    import("../../../internal/serve/pub/theme/assets/icons/icons.txt.gz"),
    import("../../../internal/serve/pub/theme/assets/icons/aliases.txt?raw"),
  ]).then(([drawings, aliases]) => ({
    drawings: new Map(
      drawings.default
        .split("\n")
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)] as const),
    ),
    aliases: new Map(
      aliases.default
        .split("\n")
        .filter((line) => line && !line.startsWith("#"))
        .map((line) => line.trim().split(/\s+/) as [string, string]),
    ),
  }));
  loaded.catch(() => (loaded = null));
  return loaded;
}

// bare is a name without the prefix and the style that may stand before it ("fa-solid fa-book").
const bare = (name: string) => name.slice(name.lastIndexOf(" ") + 1).replace(/^fa-/, "");

// glyph returns the drawing of an icon as an element, null for a name that is not known.
export async function glyph(name: string): Promise<SVGSVGElement | null> {
  const { drawings, aliases } = await load();
  const sought = bare(name);
  const found = drawings.get(`brand:${sought}`) ?? drawings.get(aliases.get(sought) ?? sought);
  if (!found) return null;
  const cut = found.indexOf("\t");
  const filled = found.slice(0, cut) === "f";
  const drawn = new DOMParser().parseFromString(
    `<svg xmlns="${svg}" viewBox="0 0 24 24">${found.slice(cut + 1)}</svg>`,
    "image/svg+xml",
  ).documentElement;
  const made = document.importNode(drawn, true) as unknown as SVGSVGElement;
  const attributes = filled
    ? { fill: "currentColor" }
    : {
        fill: "none",
        stroke: "currentColor",
        "stroke-width": "2",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      };
  for (const [key, value] of Object.entries({ ...attributes, "aria-hidden": "true" })) made.setAttribute(key, value);
  return made;
}

// glyphNames lists the names that can be written, without brands' prefixes.
export async function glyphNames(): Promise<string[]> {
  const { drawings, aliases } = await load();
  return [...new Set([...aliases.keys(), ...[...drawings.keys()].map((name) => name.replace(/^brand:/, ""))])].sort();
}
