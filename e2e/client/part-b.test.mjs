// Drives the operations of part B with the public client, and holds every answer against the client's own document.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { startRecto } from "../recto.mjs";
import { clientFor, newRecord } from "./validated.mjs";
import { drive as driveIntegrations } from "./integration.mjs";

describe("the public client, part B", () => {
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

  describe("integrations", () => driveIntegrations(world));

  test("every answer is what the client's document says", () => {
    assert.equal(record.problems.join("\n\n"), "");
  });
});
