import { test } from "node:test";
import assert from "node:assert/strict";

/** Spaces and collections. */
export function drive(world) {
  test("create, read, change, list", async () => {
    const { api, organization } = world;
    const { data: space } = await api.orgs.createSpace(organization, { title: "Guide", emoji: "1f4d8" });
    assert.equal(space.emoji, "📘");
    const { data: changed } = await api.spaces.updateSpaceById(space.id, { title: "Handbook", editMode: "locked" });
    assert.equal(changed.title, "Handbook");
    assert.equal(changed.editMode, "locked");
    const { data: read } = await api.spaces.getSpaceById(space.id);
    assert.deepEqual(read, changed);
    const { data: list } = await api.orgs.listSpacesInOrganizationById(organization, { limit: 1000 });
    assert.ok(list.items.some((each) => each.id === space.id));
    assert.equal(list.count, list.items.length);
  });

  test("delete and restore", async () => {
    const { api, organization } = world;
    const { data: space } = await api.orgs.createSpace(organization, { title: "Short-lived" });
    await api.spaces.deleteSpaceById(space.id);
    const { data: list } = await api.orgs.listSpacesInOrganizationById(organization, { limit: 1000 });
    assert.ok(!list.items.some((each) => each.id === space.id));
    const { data: restored } = await api.spaces.restoreSpace(space.id);
    assert.equal(restored.deletedAt, undefined);
  });
}
