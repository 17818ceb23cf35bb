// countWords counts the words of a text in any language: those without spaces between words are cut by the browser.
const segmenter = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function countWords(text: string): number {
  if (!segmenter || !unspaced.test(text)) return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu)?.length ?? 0;
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}
