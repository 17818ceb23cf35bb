// Finding quoted words again, as the server does (internal/content/comment): white space is one space, and of several
// places the one counts whose surroundings are most alike.

export interface Quote {
  quote: string;
  before: string;
  after: string;
}

// Passage is the text of a block with one space for all white space that is together, and where its characters are.
export interface Passage {
  text: string;
  // from says for each character of text which one of what was given it is.
  from: number[];
}

// passageOf squeezes white space, none stays at the edges.
export function passageOf(given: string): Passage {
  let text = "";
  const from: number[] = [];
  let space = -1;
  for (let at = 0; at < given.length; at++) {
    const letter = given[at]!;
    if (/\s/.test(letter)) {
      if (space < 0) space = at;
      continue;
    }
    if (space >= 0 && text !== "") {
      text += " ";
      from.push(space);
    }
    space = -1;
    text += letter;
    from.push(at);
  }
  return { text, from };
}

function alike(a: string, b: string): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

const backward = (text: string) => [...text].reverse().join("");

// find returns in which text the words are and where, null when they are in none.
export function find(texts: readonly string[], { quote, before, after }: Quote): { index: number; at: number } | null {
  if (!quote) return null;
  const behind = backward(before);
  let best: { index: number; at: number; likeness: number } | null = null;
  texts.forEach((text, index) => {
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
      const left = text.slice(Math.max(0, at - before.length), at);
      const right = text.slice(at + quote.length);
      const whole = left === before && right.startsWith(after);
      const likeness =
        alike(backward(left), behind) +
        alike(right, after) +
        (whole ? 1000 : 0) +
        (whole && text === before + quote + after ? 1 : 0);
      if (!best || likeness > best.likeness) best = { index, at, likeness };
    }
  });
  return best;
}

// How much of its surroundings goes along with a quote.
const reach = 100;

// quoteOf quotes a part of what was given, null when there are no words in it.
export function quoteOf(given: string, start: number, end: number): Quote | null {
  const { text, from } = passageOf(given);
  let first = from.findIndex((at) => at >= start);
  if (first < 0) return null;
  let last = from.length;
  while (last > first && from[last - 1]! >= end) last--;
  while (first < last && text[first] === " ") first++;
  while (last > first && text[last - 1] === " ") last--;
  if (first === last) return null;
  return {
    quote: text.slice(first, last),
    before: text.slice(Math.max(0, first - reach), first),
    after: text.slice(last, last + reach),
  };
}
