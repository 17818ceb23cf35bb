// The one list of blocks that can be edited. What is not in it stays raw.
import { column, columns, expandable, hint, step, stepper, tab, tabs } from "./boxes";
import { code } from "./code";
import { apis, integration, reusable } from "./elsewhere";
import { image, images } from "./images";
import type { Block } from "./kind";
import { item, ordered, task, tasks, unordered } from "./lists";
import { table } from "./tables";
import { condition, math, prompt, update, updates } from "./special";
import { contentRef, drawing, embed, file } from "./media";
import { divider, headings, paragraph, quote } from "./text";

export const blocks: Block[] = [
  paragraph,
  ...headings,
  ordered,
  unordered,
  tasks,
  item,
  task,
  quote,
  hint,
  code,
  divider,
  images,
  image,
  file,
  embed,
  drawing,
  contentRef,
  expandable,
  stepper,
  step,
  columns,
  column,
  tabs,
  tab,
  table,
  math,
  updates,
  update,
  prompt,
  condition,
  reusable,
  integration,
  ...apis,
];
