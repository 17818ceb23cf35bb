import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { Text } from "@codemirror/state";
import { highlightTree } from "@lezer/highlight";
import { expect, test } from "vitest";
import { highlighter } from "../code/highlight";
import { dialect, partsOf } from "./dialect";
import { diagnosticsOf } from "./faults";

const language = markdown({ base: markdownLanguage, extensions: [dialect] }).language;

// coloured returns what stands out in a text, with its classes.
function coloured(text: string): string[] {
  const found: string[] = [];
  highlightTree(language.parser.parse(text), highlighter, (from, to, name) =>
    found.push(`${name} ${text.slice(from, to)}`),
  );
  return found;
}

const nodes = (text: string): string[] => {
  const found: string[] = [];
  language.parser
    .parse(text)
    .iterate({
      enter: ({ name, from, to }) =>
        void (
          /^(BlockTag|FrontMatter|Formula|ATXHeading\d|Paragraph)$/.test(name) &&
          found.push(`${name} ${text.slice(from, to)}`)
        ),
    });
  return found;
};

test("knows tags, also in the middle of text and over several lines", () => {
  expect(nodes('Text\n{% hint style="info" %}\nMore\n{% endhint %}\n')).toEqual([
    "Paragraph Text",
    'BlockTag {% hint style="info" %}',
    "Paragraph More",
    "BlockTag {% endhint %}",
  ]);
  expect(nodes('* a\n\n  {% if a > "b" %}\n')).toContain('BlockTag {% if a > "b" %}');
  expect(nodes('{% @mermaid/diagram content="graph TD\n  A\n\n  B" %}\nText\n')).toEqual([
    'BlockTag {% @mermaid/diagram content="graph TD\n  A\n\n  B" %}',
    "Paragraph Text",
  ]);
  expect(partsOf('{% hint style="in" %}').map(({ kind, from, to }) => `${kind} ${from}-${to}`)).toEqual([
    "TagMark 0-2",
    "TagName 3-7",
    "TagAttribute 8-13",
    "TagValue 14-18",
    "TagMark 19-21",
  ]);
});

test("leaves tags in code alone, and what never ends", () => {
  expect(nodes("```\n{% hint %}\n```\n")).toEqual([]);
  expect(nodes("{% hint\n\n# Title\n").some((each) => each.startsWith("ATXHeading1"))).toBe(true);
});

test("knows front matter at the start alone", () => {
  expect(nodes("---\nicon: a\n---\n\n# Title\n\n---\n")).toEqual([
    "FrontMatter ---\nicon: a\n---",
    "ATXHeading1 # Title",
  ]);
  expect(nodes("Text\n\n---\na: b\n---\n")[0]).toBe("Paragraph Text");
});

test("colours tags, formulas and HTML", () => {
  expect(coloured('{% hint style="info" %}\n')).toEqual(expect.arrayContaining(["nt hint", "na style", 's "info"']));
  expect(coloured("<x-note>Kept</x-note>\n")).toEqual(expect.arrayContaining(["nt x-note"]));
  expect(coloured("A <kbd>B</kbd> and $$a_b$$.\n")).toEqual(expect.arrayContaining(["nt kbd", "s $$a_b$$"]));
});

test("puts faults where they are, also when the text has become shorter", () => {
  const at = (text: string, line: number, column: number) =>
    diagnosticsOf(Text.of(text.split("\n")), [
      { severity: "error", message: "", from: { line, column }, to: { line, column: column + 1 } },
    ]).map(({ from, to }) => [from, to])[0];
  expect(at("one\ntwo", 2, 2)).toEqual([5, 6]);
  expect(at("🙂🙂x", 1, 3)).toEqual([4, 5]);
  expect(at("one", 9, 9)).toEqual([3, 3]);
});
