// The schema of the editor: the document JSON, one node for each of its own, and the two raw ones for all others.
import { Schema, type NodeSpec } from "@tiptap/pm/model";
import { blocks } from "./nodes";
import { expandableParts } from "./nodes/boxes";
import { atoms, atomSpec, hardBreak, rawBlock, rawInline } from "./nodes/inlines";
import { marks } from "./nodes/marks";
import { tableParts } from "./nodes/tables";

const nodes: Record<string, NodeSpec> = {
  // Paragraphs come first: they are what is made where any block may stand.
  doc: { content: "block+", attrs: { data: { default: { schemaVersion: 2 } } } },
  ...Object.fromEntries(blocks.map((block) => [block.name, block.spec])),
  ...(expandableParts as unknown as Record<string, NodeSpec>),
  ...tableParts,
  text: { group: "inline" },
  hardBreak,
  ...Object.fromEntries(Object.values(atoms).map((name) => [name, atomSpec])),
  rawInline,
  rawBlock,
};

export const schema = new Schema({ nodes, marks });
