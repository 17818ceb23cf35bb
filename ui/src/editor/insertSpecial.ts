// What the slash menu offers that shows as something else than it is written as.
import type { Node } from "@tiptap/pm/model";
import { insert, type } from "./commands";
import { pickReusable } from "./forms/reusable";
import type { Insertion } from "./insert";
import { insertInline, insertOpen } from "./opening";
import { schema } from "./schema";
import { today } from "./views/days";
import { t } from "../words/words";

const line = (): Node => type("paragraph").create();

// A condition that says nothing cannot be saved; this one lets everybody see the text until another is written.
const condition = () => type("condition").create({ data: { expression: "true" } }, line());

export const specialInsertions: Insertion[] = [
  { id: "math", title: "editor.math.block", words: "editor.math.words", run: insertOpen(() => type("math").create()) },
  {
    id: "inline-math",
    title: "editor.math.inline",
    words: "editor.math.words",
    run: insertInline(() => type("inlineMath").create({ data: { formula: "" } })),
  },
  {
    id: "mermaid",
    title: "editor.diagram",
    words: "editor.diagram.words",
    run: insert(() =>
      type("codeBlock").create({ data: { syntax: "mermaid" } }, schema.text(t("editor.diagram.example"))),
    ),
  },
  {
    id: "updates",
    title: "editor.updates",
    words: "editor.updates.words",
    run: insert(() => type("updates").create(null, type("update").create({ data: { date: today() } }, line()))),
  },
  {
    id: "prompt",
    title: "editor.prompt",
    words: "editor.prompt.words",
    run: insert(() => type("prompt").create(null, type("codeBlock").create())),
  },
  { id: "condition", title: "editor.condition", words: "editor.condition.words", run: insertOpen(() => condition()) },
  {
    id: "expression",
    title: "editor.expression",
    words: "editor.expression.words",
    run: insertInline(() => type("expression").create({ data: { expression: "" } })),
  },
  { id: "reusable", title: "editor.reusable", words: "editor.reusable.words", run: pickReusable },
  {
    id: "api-operation",
    title: "editor.api.operation",
    words: "editor.api.words",
    run: insertOpen(() => type("apiOperation").create()),
  },
  {
    id: "api-described",
    title: "editor.api.described",
    words: "editor.api.words",
    run: insertOpen(() => type("apiDescribed").create(null, line())),
  },
  {
    id: "api-schemas",
    title: "editor.api.schemas",
    words: "editor.api.words",
    run: insertOpen(() => type("apiSchemas").create({ data: { ref: { kind: "openapi" }, schemas: [] } })),
  },
  {
    id: "api-webhook",
    title: "editor.api.webhook",
    words: "editor.api.words",
    run: insertOpen(() => type("apiWebhook").create()),
  },
];
