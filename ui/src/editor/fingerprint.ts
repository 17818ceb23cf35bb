// What names a schema: equal for the app in a browser and the script of the server when both take the same documents
// and steps. An app that is older than its server finds that out before it sends a step.
import type { Attrs, MarkSpec, NodeSpec, Schema } from "@tiptap/pm/model";
import { schema } from "./schema";

// meaning is what of a specification decides which documents and steps there are; how nodes look is not in it.
const meaning = [
  "content",
  "marks",
  "group",
  "inline",
  "atom",
  "code",
  "whitespace",
  "defining",
  "isolating",
  "linebreakReplacement",
  "inclusive",
  "excludes",
  "tableRole",
];

// fingerprint returns 16 hexadecimal digits.
export function fingerprint(of: Schema = schema): string {
  const parts: unknown[] = [of.topNodeType.name];
  of.spec.nodes.forEach((name, spec) => parts.push(["node", name, described(spec)]));
  of.spec.marks.forEach((name, spec) => parts.push(["mark", name, described(spec)]));
  return digest(JSON.stringify(parts));
}

function described(spec: NodeSpec | MarkSpec): unknown[] {
  const attributes = Object.entries(spec.attrs ?? {}).map(([name, attribute]) => [
    name,
    "default" in attribute,
    sorted((attribute as Attrs)["default"]),
  ]);
  return [meaning.map((name) => spec[name] ?? null), attributes];
}

// sorted returns a value whose objects have their members in order.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)]);
}

const mask = 0xffffffffffffffffn;

// digest is FNV-1a with 64 bits. Nobody gains by making two schemas that have the same. The remainder is taken with a
// mask: QuickJS, which runs this for the server, returns negative numbers from BigInt.asUintN.
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n) & mask;
  return hash.toString(16).padStart(16, "0");
}
