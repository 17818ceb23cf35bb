// How well a text answers what was typed: the beginning of it, the beginning of one of its words, a part, or its
// letters in order. 0 is not at all.
export function fits(query: string, text: string): number {
  const sought = plain(query);
  const words = plain(text);
  if (sought === "") return 1;
  if (words.startsWith(sought)) return 5;
  if (words.split(/[\s,]+/).some((word) => word.startsWith(sought))) return 4;
  if (words.includes(sought)) return 3;
  if (sought.length < 3) return 0;
  let at = -1;
  for (const letter of sought) {
    at = words.indexOf(letter, at + 1);
    if (at < 0) return 0;
  }
  return 2;
}

// plain is a text without case and accents.
function plain(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").trim();
}
