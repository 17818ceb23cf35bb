// The emoji that the dialect has short codes for, loaded when one is looked for.
import list from "../../../internal/engine/markdown/dialect/emoji.txt?raw";

export interface Emoji {
  // code are its code points in hexadecimal, joined by "-".
  code: string;
  names: string[];
}

export const emojis: Emoji[] = list
  .split("\n")
  .filter(Boolean)
  .map((line) => {
    const [code = "", ...names] = line.split(" ");
    return { code, names };
  });

// characters is what an emoji looks like.
export const characters = (code: string): string =>
  /^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(code)
    ? String.fromCodePoint(...code.split("-").map((point) => Math.min(Number.parseInt(point, 16), 0x10ffff)))
    : "";

// findEmoji lists those that have a name with the words in it; names that begin with them come first.
export function findEmoji(words: string, most = 48): Emoji[] {
  const sought = words
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const rank = ({ names }: Emoji) =>
    Math.max(
      ...names.map((name) =>
        name === sought
          ? 4
          : name.startsWith(sought)
            ? 3
            : name.includes(`_${sought}`)
              ? 2
              : name.includes(sought)
                ? 1
                : 0,
      ),
    );
  return emojis
    .map((emoji) => ({ emoji, score: rank(emoji) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ emoji }) => emoji);
}
