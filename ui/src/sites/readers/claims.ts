// What a site may know of its visitors, as a list of claims: the adaptive schema of the site read and written. What the
// list cannot say, such as lists of texts or objects, is kept as it is.
export type Kind = "boolean" | "string" | "choice" | "number";

export type Claim = {
  name: string;
  description: string;
  // What says it: a signed token, or the visitor by themselves.
  signed: boolean;
} & ({ kind: Kind; values: string[] } | { kind: "kept"; schema: unknown });

type Node = {
  type?: string;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Node>;
  [other: string]: unknown;
};

const own = new Set(["type", "enum", "description"]);

function claimOf(name: string, node: Node, signed: boolean): Claim {
  const common = { name, signed, description: node.description ?? "" };
  const plain = Object.keys(node).every((key) => own.has(key));
  const texts = node.enum?.every((each) => typeof each === "string");
  if (plain && node.type === "string" && texts) return { ...common, kind: "choice", values: node.enum as string[] };
  if (plain && !node.enum && (node.type === "string" || node.type === "boolean" || node.type === "number"))
    return { ...common, kind: node.type, values: [] };
  return { ...common, kind: "kept", schema: node };
}

// claimsOf reads a schema; one that is not there has no claims.
export function claimsOf(schema: unknown): Claim[] {
  const { unsigned, ...signed } = (schema as Node | undefined)?.properties ?? {};
  return [
    ...Object.entries(signed).map(([name, node]) => claimOf(name, node, true)),
    ...Object.entries(unsigned?.properties ?? {}).map(([name, node]) => claimOf(name, node, false)),
  ];
}

// The API wants a description of each claim; the name does where none is given.
function nodeOf(claim: Claim): unknown {
  if (claim.kind === "kept") return claim.schema;
  const description = claim.description.trim() || claim.name;
  if (claim.kind === "choice") return { type: "string", enum: claim.values, description };
  return { type: claim.kind, description };
}

// schemaOf writes the schema of a list of claims.
export function schemaOf(claims: Claim[]): Record<string, unknown> {
  const part = (signed: boolean) =>
    Object.fromEntries(claims.filter((each) => each.signed === signed).map((each) => [each.name, nodeOf(each)]));
  const unsigned = part(false);
  return {
    type: "object",
    properties: {
      ...part(true),
      ...(Object.keys(unsigned).length > 0
        ? {
            unsigned: {
              type: "object",
              description: "Unsigned claims of the site visitor.",
              properties: unsigned,
              additionalProperties: false,
            },
          }
        : {}),
    },
    additionalProperties: false,
  };
}
