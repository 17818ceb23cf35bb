// The public client of this API family, with every answer held against the OpenAPI documents of its versions.
import { GitBookAPI } from "@gitbook/api";
import { documents } from "./documents.mjs";

/**
 * Where the specification's text says something else than the client's document, the text is right. What the document
 * says is put in its place before an answer is checked, once it is what the text says.
 */
function asDocumented(operation, body) {
  if (!/Translations?$/.test(operation.id)) return body;
  const one = (each) => (each.object === "translation-settings" ? { ...each, object: "translation" } : each);
  return body.items ? { ...body, items: body.items.map(one) } : one(body);
}

/**
 * A record of what was driven. `driven` has the ids of operations that gave a success, `problems` says where an answer
 * is not what the client's document promises.
 */
export function newRecord() {
  return { driven: new Set(), problems: [] };
}

/** What one version of the client does not expect in an answer. */
function problems({ document, operation }, status, body) {
  const answer = document.answer(operation, status);
  const where = `${operation.id}, ${document.version}`;
  if (!answer) return [`${where}: status ${status} is not in the client's document`];
  if (!answer.validate || answer.validate(asDocumented(operation, JSON.parse(body)))) return [];
  // Versions before 0.181 allow no updates in pages, so a page with some cannot be valid there.
  if (body.includes('"type":"updates"') && !document.hasBlock("DocumentBlockUpdates")) return [];
  const errors = answer.validate.errors
    .slice(0, 6)
    .map((each) => `${each.instancePath || "/"} ${each.message} ${JSON.stringify(each.params)}`);
  return [`${where}: ${errors.join("; ")}\n    ${body.slice(0, 400)}`];
}

/** A client that notes each call in a record, of the first version or of another. */
export function clientFor({ base, token, record, Client = GitBookAPI }) {
  const check = async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(typeof input === "string" ? input : input.url ?? input);
    const method = init?.method ?? "GET";
    const known = documents.map((document) => ({ document, operation: document.find(method, url.pathname) }))
      .filter((each) => each.operation);
    if (known.length === 0) {
      record.problems.push(`${method} ${url.pathname}: no version of the client has such an operation`);
      return response;
    }
    const [{ operation }] = known;
    const body = await response.clone().text();
    if (!response.ok) {
      const { error } = JSON.parse(body);
      if (error?.code !== response.status || typeof error.message !== "string") {
        record.problems.push(`${operation.id}: ${response.status} without the error body: ${body.slice(0, 200)}`);
      }
      return response;
    }
    for (const each of known) record.problems.push(...problems(each, response.status, body));
    record.driven.add(operation.id);
    return response;
  };
  return new Client({ endpoint: base, authToken: token, serviceBinding: { fetch: check } });
}

/** The ids of all operations that a version of the client has. */
export const knownOperations = new Set(documents.flatMap(({ operations }) => operations.map((each) => each.id)));

/** The groups of operations that belong to part B. */
export const partBTags = new Set(["Integrations", "Organizations", "SSO", "Sites", "Translations", "Users"]);
