// A glossary as people write it: a line for each term, with what it is in each language behind a colon.
type Term = { term: string; translations?: Record<string, string> };

export const textOf = (terms: Term[]): string =>
  terms
    .map(({ term, translations }) => {
      const into = Object.entries(translations ?? {}).map(([language, word]) => `${language}=${word}`);
      return into.length > 0 ? `${term}: ${into.join(", ")}` : term;
    })
    .join("\n");

export const termsOf = (text: string): Term[] =>
  text.split("\n").flatMap((line) => {
    const [, before = "", behind = ""] = /^\s*(.*?)\s*(?::\s*(\S+\s*=.*))?$/.exec(line) ?? [];
    if (!before) return [];
    const translations = Object.fromEntries(
      behind.split(",").flatMap((each) => {
        const [, language, word] = /^\s*([A-Za-z-]+)\s*=\s*(.*\S)\s*$/.exec(each) ?? [];
        return language && word ? [[language, word]] : [];
      }),
    );
    return [Object.keys(translations).length > 0 ? { term: before, translations } : { term: before }];
  });
