// What the public client may send is what the server takes: every parameter and field of the client's own document is
// in the server's, or in the server's list of what it ignores.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { recto } from "../recto.mjs";

const theirs = createRequire(import.meta.url)("@gitbook/api/spec/openapi.json");
const ours = JSON.parse(await recto(["openapi"]));

function resolve(document, node) {
  while (node?.$ref) node = node.$ref.slice(2).split("/").reduce((at, name) => at[name], document);
  return node;
}

/** The operations of a document by method and path, without the names of the path's parameters. */
function operationsOf(document, prefix) {
  const found = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!["get", "post", "put", "patch", "delete"].includes(method)) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
        resolve(document, each),
      );
      found.set(`${method} ${prefix}${path}`.replace(/\{[^}]+\}/g, "{}"), {
        id: operation.operationId,
        query: parameters.filter((each) => each.in === "query").map((each) => each.name),
        body: resolve(document, operation.requestBody)?.content?.["application/json"]?.schema,
        ignored: new Set((operation["x-ignored"] ?? []).map((each) => each.field)),
      });
    }
  }
  return found;
}

/** The alternatives that a value may follow, without references and unions. */
function formsOf(document, schemas, seen = new Set()) {
  return schemas.flatMap((each) => {
    const schema = resolve(document, each);
    if (schema === undefined || seen.has(schema)) return [];
    const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    return [
      ...(parts.length && !schema.properties ? [] : [schema]),
      ...formsOf(document, parts, new Set([...seen, schema])),
    ];
  });
}

const isFree = (schema) =>
  Object.keys(schema).every((key) => ["description", "title", "examples", "nullable"].includes(key)) ||
  ((schema.type === "object" || schema.type?.includes?.("object")) &&
    !Object.keys(schema.properties ?? {}).length &&
    schema.additionalProperties === true);

/** Lists the fields that the client's schemas have and the server's have not. */
function missing(clients, servers, path, ignored, depth = 0) {
  const server = formsOf(ours, servers);
  if (depth > 12 || ignored.has(path) || server.length === 0 || server.some(isFree)) return [];
  return formsOf(theirs, clients).flatMap((schema) => {
    const found = [];
    if (schema.items) {
      found.push(
        ...missing(
          [schema.items],
          server.flatMap((each) => each.items ?? []),
          `${path}[]`,
          ignored,
          depth + 1,
        ),
      );
    }
    const others = server.flatMap((each) =>
      typeof each.additionalProperties === "object" ? [each.additionalProperties] : [],
    );
    if (typeof schema.additionalProperties === "object" && others.length) {
      found.push(...missing([schema.additionalProperties], others, `${path}.*`, ignored, depth + 1));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const known = server.flatMap((each) => each.properties?.[name] ?? []);
      if (known.length) found.push(...missing([property], known, `${path}.${name}`, ignored, depth + 1));
      else if (others.length) found.push(...missing([property], others, `${path}.${name}`, ignored, depth + 1));
      else if (!ignored.has(`${path}.${name}`)) found.push(`${path}.${name}`);
    }
    return found;
  });
}

test("the server takes or ignores by its list all that the client sends", () => {
  const server = operationsOf(ours, "");
  let compared = 0;
  const problems = [];
  for (const [key, client] of operationsOf(theirs, "/v1")) {
    const own = server.get(key);
    if (!own) continue;
    compared++;
    for (const name of client.query) {
      if (!own.query.includes(name) && !own.ignored.has(`query.${name}`)) problems.push(`${client.id}: query.${name}`);
    }
    if (client.body && !own.body) problems.push(`${client.id}: a body`);
    if (client.body && own.body)
      problems.push(
        ...missing([client.body], [own.body], "body", own.ignored).map((field) => `${client.id}: ${field}`),
      );
  }
  assert.ok(compared > 200, `only ${compared} operations were compared`);
  assert.deepEqual([...new Set(problems)], []);
});

test("what is ignored is what the client has", () => {
  const client = operationsOf(theirs, "/v1");
  let ignored = 0;
  for (const [key, own] of operationsOf(ours, "")) {
    for (const field of own.ignored) {
      ignored++;
      const [part, name] = field.split(".");
      const known =
        part === "query"
          ? client.get(key)?.query
          : formsOf(theirs, [client.get(key)?.body]).flatMap((each) => Object.keys(each.properties ?? {}));
      assert.ok(known?.includes(name), `${own.id} ignores ${field}, which the client does not send`);
    }
  }
  assert.ok(ignored > 0);
});
