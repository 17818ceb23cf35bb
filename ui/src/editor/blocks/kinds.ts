// What blocks are called.
import type { Node } from "@tiptap/pm/model";
import { t, type Key } from "../../words/words";
import type { JsonNode } from "../document";
import { rawNames } from "../views/raw";

const names: Record<string, Key> = {
  paragraph: "editor.text",
  heading1: "editor.heading1",
  heading2: "editor.heading2",
  heading3: "editor.heading3",
  listOrdered: "editor.numbers",
  listUnordered: "editor.bullets",
  listTasks: "editor.tasks",
  listItem: "editor.item",
  taskItem: "editor.task",
  blockquote: "editor.quote",
  hint: "editor.hint",
  codeBlock: "editor.code",
  divider: "editor.divider",
  images: "editor.images",
  expandable: "editor.expandable",
  stepper: "editor.steps",
  step: "editor.step",
  columns: "editor.columns",
  tabs: "editor.tabs",
  math: "editor.math",
  updates: "editor.updates",
  update: "editor.updates.one",
  prompt: "editor.prompt",
  condition: "editor.condition",
  reusable: "editor.reusable",
  integration: "editor.raw.integration",
  apiOperation: "editor.api.operation",
  apiSchemas: "editor.api.schemas",
  apiWebhook: "editor.api.webhook",
  apiDescribed: "editor.api.operation",
  swagger: "editor.api.operation",
};

// kindName names the kind of a node, in the language of the person.
export function kindName(node: Node): string {
  const type = node.type.name === "rawBlock" ? ((node.attrs["json"] as JsonNode).type ?? "") : node.type.name;
  const key = names[type] ?? rawNames[type];
  return key ? t(key) : t("editor.block");
}
