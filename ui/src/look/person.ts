// How a person is shown where there is no picture.

// initials are the first letters of the first and last word.
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("").toLocaleUpperCase();
}

// colourOf is the same for a name everywhere, one of eight.
export function colourOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % 8;
}
