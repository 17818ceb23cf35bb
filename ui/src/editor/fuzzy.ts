// How well a text answers what was typed: the beginning of it, the beginning of one of its words, a part, or its
// letters in order from the beginning of a word. 0 is not at all. A text can be several names, with commas between
// them.
export function fits(query: string, text: string): number {
  const sought = plain(query);
  const words = plain(text);
  if (sought === "") return 1;
  if (words.startsWith(sought)) return 5;
  if (words.split(/[\s,]+/).some((word) => word.startsWith(sought))) return 4;
  if (words.includes(sought)) return 3;
  if (sought.length < 3) return 0;
  return words.split(",").some((name) => spread(sought, name)) ? 2 : 0;
}

// spread reports whether letters are in a name, in their order, the first of them at the beginning of a word.
function spread(letters: string, name: string): boolean {
  for (const { index } of name.matchAll(/[^\s]+/g)) {
    let at = index - 1;
    if (name[index] !== letters[0]) continue;
    if ([...letters].every((letter) => (at = name.indexOf(letter, at + 1)) >= 0)) return true;
  }
  return false;
}

// plain is a text without case and accents.
function plain(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").trim();
}
