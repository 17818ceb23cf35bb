// Drives the operations of part B with the public client, and holds every answer against the client's own document.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { GitBookAPI } from "api-0.202.0";
import { startRecto } from "../recto.mjs";
import * as look from "./look.mjs";
import { clientFor, knownOperations, newRecord, partBTags } from "./validated.mjs";
import { drive as driveFederation } from "./federation.mjs";
import { drive as drivePeople } from "./people.mjs";
import { drive as driveStructure } from "./structure.mjs";
import { drive as driveAudience } from "./audience.mjs";
import { drive as driveTranslations } from "./translation.mjs";
import { drive as driveIntegrations } from "./integration.mjs";
import { drive as driveRunning } from "./running.mjs";

describe(`the public client, part B, on ${process.env.RECTO_E2E_DATABASE ?? "sqlite"}`, () => {
  const record = newRecord();
  /** What the parts share; filled in before they run. */
  const world = {};

  before(async () => {
    world.server = await startRecto({ flags: ["--fetch-allow", "127.0.0.0/8", "--rate-limit", "0"] });
    world.api = clientFor({ base: world.server.base, token: world.server.token, record });
    world.organization = world.server.organization;
    world.record = record;
  });

  after(async () => {
    await world.server?.stop();
  });

  test("the organization of the token is there", async () => {
    const { data } = await world.api.orgs.getOrganizationById(world.organization);
    assert.equal(data.id, world.organization);
  });

  test("the newest version of the client makes an organization", async () => {
    const newest = clientFor({ base: world.server.base, token: world.server.token, record, Client: GitBookAPI });
    const { data } = await newest.orgs.createOrganization({ title: "Newest" });
    assert.equal(data.title, "Newest");
  });

  describe("single sign-on", () => driveFederation(world));
  describe("people", () => drivePeople({ record }));
  describe("sites and their structure", () => driveStructure(world));
  describe("who may read a site", () => driveAudience(world));
  describe("how sites look", () => look.drive(world));
  describe("translations", () => driveTranslations(world));
  describe("integrations", () => driveIntegrations(world));
  describe("what runs", () => driveRunning(world));

  test("every answer is what the client's document says", () => {
    assert.equal(record.problems.join("\n\n"), "");
  });

  test("every operation that the server and the client have was driven", async () => {
    const { paths } = await world.server.api("GET", "/v1/openapi.json");
    const operations = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter((operation) => operation.tags?.some((tag) => partBTags.has(tag)));
    const missed = operations
      .map((operation) => operation.operationId)
      .filter((id) => knownOperations.has(id) && !record.driven.has(id));
    assert.deepEqual(missed, []);
  });
});
