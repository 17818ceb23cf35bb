// Where cards stand beside a text: each level with its words, none over another. The active one is exactly level; those
// above it are pushed up and those below it down.

export interface Card {
  // wish is where its words are, height how high it is.
  wish: number;
  height: number;
}

const gap = 8;

// level returns the place of each card, in the order of their words.
export function level(cards: readonly Card[], active = -1): number[] {
  const tops = cards.map((card) => card.wish);
  const first = Math.max(active, 0);
  for (let i = first + 1; i < cards.length; i++)
    tops[i] = Math.max(tops[i]!, tops[i - 1]! + cards[i - 1]!.height + gap);
  for (let i = first - 1; i >= 0; i--) tops[i] = Math.min(tops[i]!, tops[i + 1]! - cards[i]!.height - gap);
  return tops;
}
