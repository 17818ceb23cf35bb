// Colours for code: the classes that published sites have for tokens, so that code looks as readers see it.
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { language } from "./languages";

export const highlighter = tagHighlighter([
  { tag: tags.comment, class: "c" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: "k" },
  { tag: tags.meta, class: "cp" },
  { tag: [tags.typeName, tags.className, tags.namespace], class: "kt" },
  { tag: [tags.bool, tags.null, tags.atom, tags.number, tags.literal], class: "m" },
  { tag: [tags.string, tags.character, tags.regexp, tags.special(tags.string)], class: "s" },
  { tag: tags.escape, class: "se" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.macroName,
      tags.definition(tags.function(tags.variableName)),
    ],
    class: "nf",
  },
  { tag: [tags.standard(tags.variableName), tags.standard(tags.name)], class: "nb" },
  { tag: [tags.tagName, tags.labelName, tags.propertyName], class: "nt" },
  { tag: [tags.attributeName, tags.special(tags.variableName)], class: "na" },
  { tag: [tags.operator, tags.punctuation, tags.bracket], class: "p" },
  { tag: tags.inserted, class: "gi" },
  { tag: tags.deleted, class: "gd" },
  { tag: [tags.heading], class: "gh" },
  { tag: tags.emphasis, class: "ge" },
  { tag: tags.strong, class: "gs" },
]);

// Longer code is plain until it is written in: colours are not worth waiting for.
const longest = 50_000;

export type Token = { from: number; to: number; name: string };

// tokens returns what stands out in code. It is empty as long as the language is not loaded.
export function tokens(text: string, syntax: string): Token[] {
  const known = language(syntax);
  if (!known || text.length > longest) return [];
  const result: Token[] = [];
  highlightTree(known.parser.parse(text), highlighter, (from, to, name) => result.push({ from, to, name }));
  return result;
}
