// The OpenAPI documents of every version of the public client that npm has, from the one this project began with to the
// newest, and validators of what each says of an answer.
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);

/** The packages: the first version under its own name, each newer one under a name with its version in it. */
const packages = Object.entries(require("../package.json").devDependencies)
  .filter(([name]) => name === "@gitbook/api" || name.startsWith("api-"))
  .map(([name, version]) => ({ name, version: version.replace("npm:@gitbook/api@", "") }));

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * Turns a schema of OpenAPI 3.0 into JSON Schema: null has a word of its own there, and what stands beside a $ref does
 * not count. The documents close objects that they then join with others by allOf, and have alternatives of which one
 * is part of another; taken by the word, no answer would fit. So objects are open, and one alternative or more has to
 * fit.
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

/**
 * Validators by the hash of a schema with all that it refers to, so what did not change between versions counts once.
 */
const compiled = new Map();

class Document {
  #document;
  #ajv;
  #validators = new Map();

  constructor({ name, version }) {
    this.version = version;
    this.#document = require(`${name}/spec/openapi.json`);
    /** The operations, those with the fewest parameters in their path first. */
    this.operations = Object.entries(this.#document.paths)
      .flatMap(([path, item]) =>
        Object.entries(item)
          .filter(([method]) => methods.includes(method))
          .map(([method, operation]) => ({
            id: operation.operationId,
            method: method.toUpperCase(),
            path: `/v1${path}`,
            responses: operation.responses,
          })),
      )
      .map((operation) => ({
        ...operation,
        pattern: new RegExp(`^${operation.path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
        parameters: operation.path.split("{").length,
      }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  /** The operation that a request asks for, if this version has it. */
  find(method, path) {
    return this.operations.find((each) => each.method === method && each.pattern.test(path));
  }

  /** Whether blocks with a schema of that name may stand at the top of a page. */
  hasBlock(name) {
    return JSON.stringify(this.#document.components.schemas.DocumentBlocksTopLevels).includes(`/${name}"`);
  }

  /** What the document says of a status: nothing, or an object with a validator where it has a schema. */
  answer(operation, status) {
    // 204 and 205 say the same, and this project answers what the specification's text says.
    const statuses = [204, 205].includes(status) ? [status, 409 - status] : [status];
    return statuses.map((each) => this.#answer(operation, String(each))).find(Boolean);
  }

  #answer(operation, status) {
    const key = `${operation.id} ${status}`;
    if (!this.#validators.has(key)) {
      const response = this.#resolve(operation.responses[status]);
      const schema = response?.content?.["application/json"]?.schema;
      this.#validators.set(key, response && { validate: schema && this.#compile(schema) });
    }
    return this.#validators.get(key);
  }

  #compile(schema) {
    const hash = createHash("sha256").update(JSON.stringify(schema));
    const seen = new Set();
    const refer = (node) => {
      if (node === null || typeof node !== "object") return;
      if (typeof node.$ref === "string" && !seen.has(node.$ref)) {
        seen.add(node.$ref);
        const target = this.#resolve(node);
        hash.update(node.$ref).update(JSON.stringify(target));
        refer(target);
      }
      Object.values(node).forEach(refer);
    };
    refer(schema);
    const digest = hash.digest("hex");
    if (!compiled.has(digest)) {
      this.#ajv ??= this.#newAjv();
      compiled.set(digest, this.#ajv.compile(toJSONSchema(schema)));
    }
    return compiled.get(digest);
  }

  #newAjv() {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
    addFormats(ajv);
    for (const format of ["int32", "int64", "float", "double", "binary", "byte", "password", "emoji", "icon"])
      ajv.addFormat(format, true);
    ajv.addSchema({ $id: "api", definitions: toJSONSchema(this.#document.components.schemas) });
    return ajv;
  }

  #resolve(node) {
    return node?.$ref ? node.$ref.slice(2).split("/").reduce((at, name) => at[name], this.#document) : node;
  }
}

/** The documents, oldest first. */
export const documents = packages.map((each) => new Document(each));
