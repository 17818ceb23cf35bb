// The public client of this API family, with every answer held against the client's own OpenAPI document.
import { createRequire } from "node:module";
import { GitBookAPI } from "@gitbook/api";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const document = createRequire(import.meta.url)("@gitbook/api/spec/openapi.json");

/**
 * Turns a schema of OpenAPI 3.0 into JSON Schema: null has a word of its own there, and what stands beside a $ref does not
 * count. The document closes objects that it then joins with others by allOf, and has alternatives of which one is part of
 * another; taken by the word, no answer would fit. So objects are open, and one alternative or more has to fit.
 */
function toJSONSchema(node) {
  if (Array.isArray(node)) return node.map(toJSONSchema);
  if (node === null || typeof node !== "object") return node;
  if (typeof node.$ref === "string") {
    const named = { $ref: node.$ref.replace("#/components/schemas/", "api#/definitions/") };
    // The client's types have null for these, whatever OpenAPI says of words beside a $ref.
    return node.nullable ? { anyOf: [named, { type: "null" }] } : named;
  }
  const { nullable, discriminator, example, additionalProperties, oneOf, ...rest } = node;
  if (oneOf) rest.allOf = [...(rest.allOf ?? []), { anyOf: oneOf }];
  if (additionalProperties && additionalProperties !== true) rest.additionalProperties = additionalProperties;
  const schema = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toJSONSchema(value)]));
  // Bounds that are flags in 3.0 and numbers in JSON Schema.
  for (const [flag, bound] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]]) {
    if (schema[flag] === true) schema[flag] = schema[bound];
    if (schema[flag] === false) delete schema[flag];
  }
  return nullable ? { anyOf: [schema, { type: "null" }] } : schema;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
for (const format of ["int32", "int64", "float", "double", "binary", "byte", "password", "emoji", "icon"]) ajv.addFormat(format, true);
ajv.addSchema({ $id: "api", definitions: toJSONSchema(document.components.schemas) });

/** The operations of the client's document, those with the fewest parameters in their path first. */
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) => Object.entries(item)
    .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
    .map(([method, operation]) => ({ id: operation.operationId, method: method.toUpperCase(), path: `/v1${path}`, responses: operation.responses })))
  .map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
    parameters: operation.path.split("{").length,
  }))
  .sort((a, b) => a.parameters - b.parameters);

function resolve(node) {
  return node?.$ref ? node.$ref.slice(2).split("/").reduce((at, name) => at[name], document) : node;
}

/**
 * Where the specification's text says something else than the client's document, the text is right. What the document says
 * is put in its place before an answer is checked, once it is what the text says.
 */
function asDocumented(operation, body) {
  if (!/Translations?$/.test(operation.id)) return body;
  const one = (each) => (each.object === "translation-settings" ? { ...each, object: "translation" } : each);
  return body.items ? { ...body, items: body.items.map(one) } : one(body);
}

const validators = new Map();

function validatorOf(operation, status) {
  const key = `${operation.id} ${status}`;
  if (!validators.has(key)) {
    const response = resolve(operation.responses[status]);
    const schema = response?.content?.["application/json"]?.schema;
    validators.set(key, response && { validate: schema && ajv.compile(toJSONSchema(schema)) });
  }
  return validators.get(key);
}

/**
 * A record of what was driven. `driven` has the ids of operations that gave a success, `problems` says where an answer
 * is not what the client's document promises.
 */
export function newRecord() {
  return { driven: new Set(), problems: [] };
}

/** A client that notes each call in a record. */
export function clientFor({ base, token, record }) {
  const check = async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(typeof input === "string" ? input : input.url ?? input);
    const method = init?.method ?? "GET";
    const operation = operations.find((each) => each.method === method && each.pattern.test(url.pathname));
    if (!operation) {
      record.problems.push(`${method} ${url.pathname}: the client's document has no such operation`);
      return response;
    }
    const body = await response.clone().text();
    if (!response.ok) {
      const { error } = JSON.parse(body);
      if (error?.code !== response.status || typeof error.message !== "string") {
        record.problems.push(`${operation.id}: ${response.status} without the error body: ${body.slice(0, 200)}`);
      }
      return response;
    }
    // 204 and 205 say the same, and this project answers what the specification's text says.
    const known = [response.status, ...([204, 205].includes(response.status) ? [204, 205] : [])].map((status) => validatorOf(operation, String(status))).find(Boolean);
    if (!known) {
      record.problems.push(`${operation.id}: status ${response.status} is not in the client's document`);
    } else if (known.validate) {
      if (!known.validate(asDocumented(operation, JSON.parse(body)))) {
        const errors = known.validate.errors.slice(0, 6).map((each) => `${each.instancePath || "/"} ${each.message} ${JSON.stringify(each.params)}`);
        record.problems.push(`${operation.id}: ${errors.join("; ")}\n    ${body.slice(0, 400)}`);
      }
    }
    record.driven.add(operation.id);
    return response;
  };
  return new GitBookAPI({ endpoint: base, authToken: token, serviceBinding: { fetch: check } });
}

/** The ids of all operations that the client has. */
export const knownOperations = new Set(operations.map((each) => each.id));

/** The groups of operations that belong to part B. */
export const partBTags = new Set(["Integrations", "Organizations", "SSO", "Sites", "Translations", "Users"]);
