// What an API description describes: its operations, as far as a list of them needs.
export type Operation = { method: string; path: string; summary: string; tag: string; deprecated: boolean };

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];
type Node = Record<string, unknown>;
const isObject = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? value : "");

// operationsOf lists the operations of a description in their order, without those that it hides.
export function operationsOf(description: unknown): Operation[] {
  const paths = isObject(description) && isObject(description.paths) ? description.paths : {};
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!isObject(item) || item["x-internal"] === true) return [];
    return methods.flatMap((method) => {
      const operation = item[method];
      if (!isObject(operation) || operation["x-internal"] === true) return [];
      const tags = Array.isArray(operation.tags) ? operation.tags : [];
      return [
        {
          method: method.toUpperCase(),
          path,
          summary: text(operation.summary) || text(operation.operationId),
          tag: text(tags[0]),
          deprecated: operation.deprecated === true,
        },
      ];
    });
  });
}

// slugOf makes a name for the address of a description from a title or the name of a file.
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\.(ya?ml|json)$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
