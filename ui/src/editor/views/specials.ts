// The views of what shows as something else than it is written as, by the names of their nodes.
import type { NodeViewConstructor } from "@tiptap/pm/view";
import "../special.css";
import { described } from "./described";
import { api, reusable } from "./elsewhere";
import { expression } from "./expression";
import { integration } from "./integration";
import { inlineMath, math } from "./math";
import { condition, prompt, update, updates } from "./special";

export const specialViews: Record<string, NodeViewConstructor> = {
  math,
  inlineMath,
  expression,
  updates,
  update,
  prompt,
  condition,
  reusable,
  integration,
  apiOperation: api,
  apiSchemas: api,
  apiWebhook: api,
  swagger: api,
  apiDescribed: described,
};
