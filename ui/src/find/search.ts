// What is found in texts: words or a regular expression, with what a replacement makes of each.

export interface Query {
  text: string;
  matchCase: boolean;
  words: boolean;
  regex: boolean;
}

// Match is a stretch of one of the texts. insert is what a replacement puts in its place.
export interface Match {
  block: number;
  from: number;
  to: number;
  insert: string;
}

// The longest pattern, and the most that is found of it: nobody walks through more.
export const longestPattern = 500;
export const mostMatches = 5000;

// pattern returns what is looked for, null when it is no regular expression.
export function pattern({ text, matchCase, words, regex }: Query): RegExp | null {
  if (text === "" || text.length > longestPattern) return null;
  const sought = regex ? text : text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
  const whole = words ? `(?<![\\p{L}\\p{N}_])(?:${sought})(?![\\p{L}\\p{N}_])` : sought;
  try {
    return new RegExp(whole, matchCase ? "gmu" : "gimu");
  } catch {
    return null;
  }
}

// made returns what a replacement makes of a match: of a regular expression it may name groups, as $1 and $&.
function made(found: RegExpExecArray, replacement: string, regex: boolean): string {
  if (!regex) return replacement;
  return replacement.replace(/\$(\$|&|\d{1,2})/g, (_all, name: string) =>
    name === "$" ? "$" : name === "&" ? found[0] : (found[Number(name)] ?? ""),
  );
}

// search returns what is found, in the order of the texts.
export function search(texts: readonly string[], query: Query, replacement: string): Match[] {
  const sought = pattern(query);
  const matches: Match[] = [];
  if (!sought) return matches;
  texts.forEach((text, block) => {
    sought.lastIndex = 0;
    for (let found = sought.exec(text); found && matches.length < mostMatches; found = sought.exec(text)) {
      if (found[0] === "") sought.lastIndex++;
      else
        matches.push({
          block,
          from: found.index,
          to: found.index + found[0].length,
          insert: made(found, replacement, query.regex),
        });
    }
  });
  return matches;
}
