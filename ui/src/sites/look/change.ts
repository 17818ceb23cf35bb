// How a customization is changed: a part of it lies over what is there, null takes something away.
import type { Customization } from "../queries";

type Deep<T> = T extends readonly unknown[] ? T | null : T extends object ? { [K in keyof T]?: Deep<T[K]> | null } : T;

// Change is a part of a customization.
export type Change = Deep<Customization>;

type Node = Record<string, unknown>;
const isObject = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// merged lays a change over what is there. Lists are replaced as a whole.
export function merged<T>(there: T, change: unknown): T {
  if (!isObject(there) || !isObject(change)) return change as T;
  const all: Node = { ...there };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete all[name];
    else if (value !== undefined)
      all[name] = isObject(value) ? merged(isObject(all[name]) ? all[name] : {}, value) : value;
  }
  return all as T;
}

// difference returns the change that makes one value of another: merged(from, difference(from, to)) is to.
export function difference(from: unknown, to: unknown): Change {
  if (!isObject(from) || !isObject(to)) return to as Change;
  const change: Node = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[name], to[name]];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    change[name] = after === undefined ? null : isObject(after) && isObject(before) ? difference(before, after) : after;
  }
  return change as Change;
}

// What a space on a site may have of its own, each by the way to it (internal/publish/site/customization).
const ways = [
  "title localizedTitle favicon announcement",
  ...[
    "theme primaryColor infoColor successColor warningColor dangerColor tint corners depth links icons font headingFont monospaceFont search background",
  ].map((names) =>
    names
      .split(" ")
      .map((name) => `styling.${name}`)
      .join(" "),
  ),
  "styling.sidebar.background styling.sidebar.list styling.codeTheme.default styling.codeTheme.openapi internationalization.locale",
  "header.preset header.logo header.primaryLink header.backgroundColor header.linkColor header.links footer.logo footer.groups footer.copyright",
  "themes.default themes.toggeable feedback.enabled externalLinks.target pagination.enabled trademark.enabled privacyPolicy.url socialPreview.url",
]
  .join(" ")
  .split(" ")
  .map((way) => way.split("."));

const at = (value: unknown, way: string[]): unknown =>
  way.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), value);
const put = (node: Node, [first = "", ...rest]: string[], value: unknown): Node => ({
  ...node,
  [first]: rest.length === 0 ? value : put(isObject(node[first]) ? node[first] : {}, rest, value),
});

// ownable reports whether a space on a site can have a value of its own.
export const ownable = (name: string) => ways.some((way) => way.join(".") === name);

// overrides says what a change of a space's look is in the API's words: each value that it touches, as a whole.
export function overrides(now: Customization, change: Change): Node {
  const next = merged(now, change);
  return ways
    .filter((way) => at(change, way) !== undefined)
    .reduce((body, way) => put(body, way, at(next, way) ?? null), {} as Node);
}

// undone says what brings a space's look back to what it was; what was as on the site is the site's again.
export function undone(now: Customization, before: Customization, site: Customization): Node {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return ways
    .filter((way) => !same(at(now, way), at(before, way)))
    .reduce(
      (body, way) => put(body, way, same(at(before, way), at(site, way)) ? null : (at(before, way) ?? null)),
      {} as Node,
    );
}
