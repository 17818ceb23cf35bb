// The law of the two forms of a page: rich text and Markdown. What goes through both comes back as it was, byte for
// byte.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDocument, writeDocument } from "../src/editor/convert";
import { bare, same, type JsonDocument } from "../src/editor/document";
import { book, manual } from "./corpus";

type Server = {
  base: string;
  organization: string;
  api: (method: string, path: string, body?: unknown) => Promise<any>;
  stop: () => Promise<void>;
};

// serve starts the program. Its tests are programs of Node.js without types.
async function serve(): Promise<Server> {
  const path = pathToFileURL(resolve(import.meta.dirname, "../../e2e/recto.mjs")).href;
  const { startRecto } = (await import(/* @vite-ignore */ path)) as {
    startRecto: (options: { flags: string[] }) => Promise<Server>;
  };
  return startRecto({ flags: ["--rate-limit", "0"] });
}

let server: Server;
beforeAll(async () => void (server = await serve()), 60_000);
afterAll(() => server.stop());

const read = (given: JsonDocument): JsonDocument => ({ ...given, nodes: given.nodes.map(bare) });

for (const [name, texts] of [["manual", manual()], ["Rust book", book()]] as const) {
  test(`pages of the ${name} go through both forms as they are`, async () => {
    const { id } = await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title: name });
    const space = `/v1/spaces/${id}`;
    const files = [...texts].filter(([file]) => !/SUMMARY\.md$/.test(file));
    expect(files.length).toBeGreaterThan(20);
    for (let i = 0; i < files.length; i += 40) {
      const changes = files
        .slice(i, i + 40)
        .map(([, markdown]) => ({ operation: "insert_page", document: { markdown } }));
      await server.api("POST", `${space}/content`, { changes });
    }
    const { number } = await server.api("POST", `${space}/change-requests`, {});
    const request = `${space}/change-requests/${number}`;
    const { pages } = (await server.api("GET", `${request}/content/pages`)) as {
      pages: { id: string; title: string }[];
    };
    expect(pages.length).toBe(files.length);
    const { revision } = await server.api("GET", request);
    for (const { id: page, title } of pages) {
      const at = `${request}/content/page/${page}`;
      const markdown = async () =>
        ((await server.api("GET", `${at}?format=markdown&metadata=false`)) as { markdown: string }).markdown;
      const document = async () =>
        read(
          ((await server.api("GET", `${at}?format=document&metadata=false`)) as { document: JsonDocument }).document,
        );
      const save = (body: unknown) =>
        server.api("POST", `${request}/content`, { changes: [{ operation: "update_page", page, document: body }] });
      const [source, rich] = [await markdown(), await document()];
      // Markdown, rich text, Markdown.
      await save({ document: writeDocument(readDocument(rich)) });
      expect(await markdown(), title).toBe(source);
      // Rich text, Markdown, rich text.
      await save({ markdown: source, complete: true });
      const back = await document();
      if (!same(back, rich)) expect(back, title).toEqual(rich);
      expect(await markdown(), title).toBe(source);
    }
    expect((await server.api("GET", request)).revision, "a page was saved that nobody changed").toBe(revision);
  }, 240_000);
}
