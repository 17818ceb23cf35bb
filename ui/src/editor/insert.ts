// What the slash menu offers.
import { schema } from "./schema";
import { code, insert, list, text, type, wrap } from "./commands";
import {
  askCard,
  askEmbed,
  askEmoji,
  askFile,
  askIcon,
  askInlineImage,
  askPicture,
  insertButton,
  typeIn,
} from "./forms/ask";
import { fits } from "./fuzzy";
import { specialInsertions } from "./insertSpecial";
import { textColumn } from "./nodes/tables";
import { newTable } from "./tables/commands";
import { type Installed } from "./services";
import type { Command } from "@tiptap/pm/state";
import { keysOf } from "../look/shortcuts";
import { t, type Key } from "../words/words";

export interface Insertion {
  id: string;
  // title names it; words are what else people call it, in the language of the person.
  title: Key;
  words: Key;
  // block is what an integration brings, whose names are its own.
  block?: Installed;
  run: Command;
  keys?: string;
}

const line = (...words: string[]) =>
  type("paragraph").create(
    null,
    words.map((word) => schema.text(word)),
  );
const part = (name: string, data = {}) => type(name).create({ data }, line());

export const insertions: Insertion[] = [
  { id: "text", title: "editor.text", words: "editor.text.words", run: text("paragraph"), keys: keysOf("text") },
  {
    id: "heading-1",
    title: "editor.heading1",
    words: "editor.heading1.words",
    run: text("heading1"),
    keys: keysOf("heading1"),
  },
  {
    id: "heading-2",
    title: "editor.heading2",
    words: "editor.heading2.words",
    run: text("heading2"),
    keys: keysOf("heading2"),
  },
  {
    id: "heading-3",
    title: "editor.heading3",
    words: "editor.heading3.words",
    run: text("heading3"),
    keys: keysOf("heading3"),
  },
  {
    id: "bullets",
    title: "editor.bullets",
    words: "editor.bullets.words",
    run: list("listUnordered"),
    keys: keysOf("bullets"),
  },
  {
    id: "numbers",
    title: "editor.numbers",
    words: "editor.numbers.words",
    run: list("listOrdered"),
    keys: keysOf("numbers"),
  },
  { id: "tasks", title: "editor.tasks", words: "editor.tasks.words", run: list("listTasks"), keys: keysOf("tasks") },
  { id: "quote", title: "editor.quote", words: "editor.quote.words", run: wrap("blockquote") },
  { id: "hint", title: "editor.hint", words: "editor.hint.words", run: wrap("hint") },
  { id: "code", title: "editor.code", words: "editor.code.words", run: code, keys: keysOf("codeBlock") },
  {
    id: "divider",
    title: "editor.divider",
    words: "editor.divider.words",
    run: insert(() => type("divider").create()),
  },
  {
    id: "expandable",
    title: "editor.expandable",
    words: "editor.expandable.words",
    run: insert(() =>
      type("expandable").create(null, [type("expandableTitle").create(), type("expandableBody").create(null, line())]),
    ),
  },
  {
    id: "steps",
    title: "editor.steps",
    words: "editor.steps.words",
    run: insert(() => type("stepper").create(null, [part("step"), part("step")])),
  },
  {
    id: "tabs",
    title: "editor.tabs",
    words: "editor.tabs.words",
    run: insert(() =>
      type("tabs").create(
        null,
        [1, 2].map((n) => part("tab", { title: t("editor.tab", { n }) })),
      ),
    ),
  },
  {
    id: "columns",
    title: "editor.columns",
    words: "editor.columns.words",
    run: insert(() => type("columns").create(null, [part("column"), part("column")])),
  },
  { id: "table", title: "editor.table", words: "editor.table.words", run: insert(() => table()) },
  { id: "cards", title: "editor.cards", words: "editor.cards.words", run: insert(() => cards()) },
  ...specialInsertions,
  { id: "image", title: "editor.image", words: "editor.image.words", run: askPicture },
  { id: "file", title: "editor.file", words: "editor.file.words", run: askFile },
  { id: "embed", title: "editor.embed", words: "editor.embed.words", run: askEmbed },
  { id: "page-card", title: "editor.pageCard", words: "editor.pageCard.words", run: askCard },
  { id: "mention", title: "editor.mention", words: "editor.mention.words", run: typeIn("@"), keys: "@" },
  { id: "emoji", title: "editor.emoji", words: "editor.emoji.words", run: askEmoji, keys: ":" },
  { id: "icon", title: "editor.icon", words: "editor.icon.words", run: askIcon },
  { id: "button", title: "editor.button", words: "editor.button.words", run: insertButton },
  { id: "inline-image", title: "editor.inlineImage", words: "editor.inlineImage.words", run: askInlineImage },
];

const table = () => newTable(schema, { type: "grid", hideHeader: false }, [{}, {}, {}], 2);
const cards = () =>
  newTable(
    schema,
    { type: "cards", hideHeader: false, cardSize: "medium" },
    [
      { column: textColumn },
      { column: textColumn },
      { column: { type: "content-ref" }, hidden: true, target: true },
      { column: { type: "image" }, hidden: true, cover: true },
    ],
    3,
  );

const recent = "recto.editor.recent";

function recents(): string[] {
  try {
    return (localStorage.getItem(recent) ?? "").split(",").filter(Boolean);
  } catch {
    return [];
  }
}

// remember puts a block first in the menu the next time.
export function remember(id: string): void {
  try {
    localStorage.setItem(recent, [id, ...recents().filter((each) => each !== id)].slice(0, 3).join(","));
  } catch {
    // A browser that keeps nothing loses the order alone.
  }
}

// titleOf is what an insertion is called.
export const titleOf = ({ block, title }: Insertion): string => block?.title ?? t(title);

// insertionsOf are those of blocks of integrations.
export const insertionsOf = (blocks: readonly Installed[]): Insertion[] =>
  blocks.map((block) => ({
    id: `integration-${block.integration}-${block.block}`.replace(/[^\w-]/g, "_"),
    title: "editor.raw.integration",
    words: "editor.raw.integration",
    block,
    run: insert(() =>
      type("integration").create({ data: { integration: block.integration, block: block.block, props: {} } }),
    ),
  }));

// Groups of the menu in their order, while nothing is sought. What none of them names is of integrations.
const groups = {
  recent: [],
  text: ["text", "heading-1", "heading-2", "heading-3", "bullets", "numbers", "tasks", "quote"],
  blocks: ["code", "hint", "table", "tabs", "steps", "columns", "cards", "expandable", "divider"],
  media: ["image", "file", "embed", "page-card"],
  line: ["mention", "emoji", "icon", "button", "inline-image", "inline-math", "expression"],
  more: ["math", "mermaid", "reusable", "condition", "updates", "prompt"],
  api: ["api-operation", "api-described", "api-schemas", "api-webhook"],
  integrations: [],
} as const;
export type Group = keyof typeof groups;

const places = new Map(
  Object.entries(groups).flatMap(([group, ids]) =>
    ids.map((id, place) => [id as string, { group: group as Group, place }] as const),
  ),
);
const placeOf = ({ id }: Insertion, used: readonly string[]): { group: Group; place: number } =>
  used.includes(id)
    ? { group: "recent", place: used.indexOf(id) }
    : (places.get(id) ?? { group: "integrations", place: 0 });

// grouped parts what is shown while nothing is sought into what was used last and groups by kind.
export function grouped(items: readonly Insertion[]): { group: Group; items: Insertion[] }[] {
  const used = recents();
  return (Object.keys(groups) as Group[])
    .map((group) => ({ group, items: items.filter((item) => placeOf(item, used).group === group) }))
    .filter(({ items }) => items.length > 0);
}

// found returns the blocks that answer what was typed, the best first; by groups where nothing was.
export function found(query: string, blocks: readonly Installed[] = []): Insertion[] {
  const all = [...insertions, ...insertionsOf(blocks)];
  if (query === "") {
    const used = recents();
    const order = Object.keys(groups);
    const rank = (item: Insertion) => {
      const { group, place } = placeOf(item, used);
      return order.indexOf(group) * all.length + place;
    };
    return all.sort((a, b) => rank(a) - rank(b));
  }
  const score = ({ id, title, words, block }: Insertion) =>
    Math.max(
      fits(query, block?.title ?? t(title)) * 2,
      fits(query, block ? `${block.description} ${block.integration}` : t(words)) * 2 - 1,
      fits(query, id),
    );
  return all
    .map((item) => ({ item, score: score(item) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
