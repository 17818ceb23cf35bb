// What is said by looks in HTML of other programs. The app's policy refuses style attributes, also in documents that
// are only parsed, and the browser complains of each. So they are put aside before anything is parsed, and read one by
// one.

const noted = "data-looks";

// What is not closed goes on to the end, as for the browser: so each of these matches wherever it begins, and a text of
// any kind is looked through once.
const sheet = /<style\b[\s\S]*?(?:<\/style\s*>|$)/gi;
const tag = /<[a-z](?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*(?:>|$)/gi;
const quotedOrStyle = /"[^"]*"|'[^']*'|(?<=\s)style(?=\s*=)/gi;

/** Returns HTML with its style attributes under another name and without its style sheets. */
export function putAside(html: string): string {
  return html
    .replace(sheet, "")
    .replace(tag, (whole) => whole.replace(quotedOrStyle, (part) => (/^style$/i.test(part) ? noted : part)));
}

/** What a style attribute said, as it was written. */
export const written = (element: Element): string => element.getAttribute(noted) ?? "";

/** What a style attribute said, as the browser understands it; all of it is empty for an element without one. */
export function looks(element: Element): CSSStyleDeclaration {
  const { style } = document.createElement("span");
  style.cssText = written(element);
  return style;
}

/** A selector of the elements whose looks say something, or those that say a word in them. */
export const withLooks = (word?: string): string => (word ? `[${noted}*="${word}"]` : `[${noted}]`);

/** Takes the looks of all elements away. */
export function forget(body: Element): void {
  for (const element of body.querySelectorAll(`[${noted}]`)) element.removeAttribute(noted);
}
