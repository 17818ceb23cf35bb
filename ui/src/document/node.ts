// Document JSON as it is drawn, and how its parts are read.
export type Ref = {
  kind?: string;
  url?: string;
  page?: string;
  space?: string;
  anchor?: string;
  file?: string;
  user?: string;
  reusableContent?: string;
  tag?: string;
};

export type Leaf = { text: string; marks?: { type: string; data?: { text?: string; background?: string } }[] };

export type DocumentNode = {
  object: string;
  type?: string;
  fragment?: string;
  data?: Record<string, unknown>;
  nodes?: DocumentNode[];
  fragments?: DocumentNode[];
  leaves?: Leaf[];
};

// text returns an attribute that is a text, "" for one that is not there.
export function text(node: DocumentNode, name: string): string {
  const value = node.data?.[name];
  return typeof value === "string" ? value : "";
}

// refOf returns where a node leads.
export function refOf(node: DocumentNode): Ref | undefined {
  const ref = node.data?.["ref"];
  return typeof ref === "object" && ref !== null ? ref : undefined;
}

// oneOf returns a class for a value among those that have one, else "".
export const oneOf = (prefix: string, value: string, ...known: string[]) =>
  known.includes(value) ? prefix + value : "";
