// Which changes somebody has looked at. It is kept in the browser, apart for each person and change request, with a
// print of what was to be seen: when that changes, it is not viewed any more.

// View is what was to be seen, and at which state of the change request that was last made sure of.
export type View = { print: string; at: string };
type Views = Record<string, View>;
const keyOf = (user: string, space: string, number: number) => `recto-viewed ${user} ${space} ${number}`;

// views returns what was viewed, by id.
export function views(user: string, space: string, number: number): Views {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(user, space, number)) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Views) : {};
  } catch {
    return {};
  }
}

// mark notes that something was viewed, or, with null, that it was not.
export function mark(user: string, space: string, number: number, id: string, view: View | null): Views {
  const { [id]: _, ...rest } = views(user, space, number);
  const next = view === null ? rest : { ...rest, [id]: view };
  try {
    localStorage.setItem(keyOf(user, space, number), JSON.stringify(next));
  } catch {
    // A browser that keeps nothing forgets it with the screen.
  }
  return next;
}

// print is a short number for a value: two that differ have, as good as always, two. Names of revisions do not count.
export function print(value: unknown): string {
  const text = JSON.stringify(value)?.replace(/revision_[a-z0-9]+/g, "").replace(/signature=[^"&]*/g, "") ?? "";
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b + text.charCodeAt(i), 0x85ebca6b) ^ (b >>> 13);
  }
  return `${text.length}-${a >>> 0}-${b >>> 0}`;
}
