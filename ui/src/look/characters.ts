// charactersOf is what an emoji looks like, from its code points in hexadecimal, joined by "-". What is no code point
// is a square.
export const charactersOf = (code: string): string => String.fromCodePoint(...code.split("-").map(pointOf));

function pointOf(part: string): number {
  const point = Number.parseInt(part, 16);
  return point > 0 && point <= 0x10ffff ? point : 0x25a1;
}
