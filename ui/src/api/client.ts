// The public API with the session cookie of the browser. Types come from `recto openapi`, so an operation that changes
// breaks the build here.
import createClient, { defaultPathSerializer } from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

// main stands where an operation on content asks for a change request, for the main content: it has the same
// operations, at addresses without one.
export const main = "main";

// fetch is looked up with every request, so that a test can put its own in its place.
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: "same-origin",
  fetch: (request) => fetch(request),
  pathSerializer: (path, params) =>
    defaultPathSerializer(path, params).replace(`/change-requests/${main}/content`, "/content"),
});

// Failure is an answer that is not the one that was asked for. status is 0 when there was no answer. details name each
// thing that is wrong, where the server does.
export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { message: string }[] = [],
  ) {
    super(message);
    this.name = "Failure";
  }
}

// taken returns the data of an answer, or throws a Failure with the server's own words.
export async function taken<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer;
  try {
    answer = await asked;
  } catch {
    throw new Failure(0, "");
  }
  if (answer.data !== undefined) return answer.data;
  const said = (answer.error as { error?: { message?: string; details?: { message: string }[] } } | undefined)?.error;
  throw new Failure(answer.response.status, said?.message ?? answer.response.statusText, said?.details);
}

// done returns when something went well, for answers without data.
export async function done(asked: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  await taken(
    asked.then((answer) =>
      answer.response.ok
        ? { data: true, response: answer.response }
        : { error: answer.error, response: answer.response },
    ),
  );
}
