// Drives the operations of part A with the public client, and holds every answer against the client's own document.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { startRecto } from "../recto.mjs";
import { clientFor, knownOperations, newRecord, partBTags } from "./validated.mjs";
import { drive as driveSpaces } from "./spaces.mjs";
import { drive as driveContent } from "./content.mjs";
import { drive as driveChanges } from "./changes.mjs";
import { drive as driveComments } from "./comments.mjs";
import { drive as driveLinks } from "./links.mjs";
import { drive as driveSpecs } from "./specs.mjs";
import { drive as driveNewest } from "./newest.mjs";

describe(`the public client, on ${process.env.RECTO_E2E_DATABASE ?? "sqlite"}`, () => {
  const record = newRecord();
  /** What the parts share; filled in before they run. */
  const world = {};
  let source;

  before(async () => {
    world.server = await startRecto({ flags: ["--fetch-allow", "127.0.0.0/8", "--rate-limit", "0"] });
    world.api = clientFor({ base: world.server.base, token: world.server.token, record });
    world.organization = world.server.organization;
    world.record = record;
    // What imports and specifications are fetched from.
    source = createServer((request, response) => {
      const found = world.pages[request.url];
      response.writeHead(found ? 200 : 404, { "content-type": found?.type ?? "text/plain" });
      response.end(found?.body ?? "not here");
    });
    world.pages = {};
    await new Promise((done) => source.listen(0, "127.0.0.1", done));
    world.source = `http://127.0.0.1:${source.address().port}`;
  });

  after(async () => {
    source?.close();
    await world.server?.stop();
  });

  describe("spaces", () => driveSpaces(world));
  describe("content", () => driveContent(world));
  describe("change requests", () => driveChanges(world));
  describe("comments", () => driveComments(world));
  describe("links", () => driveLinks(world));
  describe("OpenAPI specifications", () => driveSpecs(world));
  describe("the newest version of the client", () => driveNewest(world));

  test("every answer is what the client's document says", () => {
    assert.equal(record.problems.join("\n\n"), "");
  });

  test("every operation that the server and the client have was driven", async () => {
    const { paths } = await world.server.api("GET", "/v1/openapi.json");
    const served = Object.values(paths)
      .flatMap((item) => Object.values(item).map((operation) => operation.operationId))
      .filter(Boolean);
    const partB = new Set(
      Object.values(paths)
        .flatMap((item) => Object.values(item))
        .filter((operation) => operation.tags?.some((tag) => partBTags.has(tag)))
        .map((operation) => operation.operationId),
    );
    const missed = served.filter((id) => knownOperations.has(id) && !partB.has(id) && !record.driven.has(id));
    assert.deepEqual(missed, []);
  });
});
