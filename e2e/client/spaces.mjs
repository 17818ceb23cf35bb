import { test } from "node:test";
import assert from "node:assert/strict";
import { recto } from "../recto.mjs";

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

  test("collections, order and moves", async () => {
    const { api, organization } = world;
    const { data: outer } = await api.orgs.createCollection(organization, { title: "Products" });
    const { data: inner } = await api.orgs.createCollection(organization, { title: "Cloud", parent: outer.id });
    assert.equal(inner.parent, outer.id);
    const { data: first } = await api.orgs.createSpace(organization, {
      title: "First",
      emoji: "1️⃣",
      parent: inner.id,
    });
    const { data: second } = await api.orgs.createSpace(organization, { title: "Second", emoji: "2️⃣" });
    await api.spaces.moveSpace(second.id, {
      parent: inner.id,
      position: { before: { type: "space", space: first.id } },
    });
    const { data: listed } = await api.collections.listSpacesInCollectionById(inner.id);
    assert.deepEqual(
      listed.items.map((each) => each.id),
      [second.id, first.id],
    );
    const { data: changed } = await api.collections.updateCollectionById(inner.id, {
      title: "Clouds",
      description: "All of them",
      defaultLevel: "read",
    });
    assert.equal(changed.defaultLevel, "read");
    await api.collections.moveCollection(inner.id, { parent: null });
    await assert.rejects(async () => {
      await api.collections.moveCollection(outer.id, { parent: inner.id });
      await api.collections.moveCollection(inner.id, { parent: outer.id });
    }, { code: 409 });
    const { data: nested } = await api.orgs.listCollectionsInOrganizationById(organization, { nested: true });
    const { data: roots } = await api.orgs.listCollectionsInOrganizationById(organization, { nested: false });
    assert.ok(roots.count < nested.count);
    const { data: copy } = await api.spaces.duplicateSpace(first.id);
    assert.notEqual(copy.id, first.id);
    await api.collections.deleteCollectionById(inner.id);
    const { data: left } = await api.spaces.getSpaceById(first.id);
    assert.notEqual(left.parent, inner.id);
    const { data: kept } = await api.collections.getCollectionById(outer.id);
    assert.equal(kept.title, "Products");
  });

  test("transfer to another organization", async () => {
    const { api, organization, server } = world;
    const other = await server.api("POST", "/v1/orgs", {
      title: "Others",
      emailDomains: [],
      type: "business",
      useCase: "docsSite",
    });
    const { data: space } = await api.orgs.createSpace(organization, { title: "Going", emoji: "🚚" });
    const { data: gone } = await api.spaces.transferSpace(space.id, { organization: other.id });
    assert.equal(gone.organization, other.id);
    await assert.rejects(() => api.spaces.transferSpace(space.id, { organization: other.id }), { code: 409 });
    const { data: collection } = await api.orgs.createCollection(organization, { title: "Going too" });
    const { data: moved } = await api.collections.transferCollection(collection.id, { organization: other.id });
    assert.equal(moved.organization, other.id);
  });

  test("who may do what in them", async () => {
    const { api, organization, server } = world;
    const grace = JSON.parse(
      await recto([
        "user",
        "add",
        "--data",
        server.data,
        "--email",
        "grace@example.org",
        "--name",
        "Grace",
        "--org",
        organization,
        "--role",
        "read",
      ]),
    );
    const { data: space } = await api.orgs.createSpace(organization, { title: "Shared", emoji: "🤝" });
    const { data: collection } = await api.orgs.createCollection(organization, { title: "Shared" });
    for (const [kind, group, id] of [["Space", api.spaces, space.id], ["Collection", api.collections, collection.id]]) {
      await group[`inviteTo${kind}`](id, { users: [grace.user], role: "edit" });
      await group[`updateUserPermissionIn${kind}`](id, grace.user, { role: "review" });
      const granted = await group[`listUserPermissionsIn${kind}`](id);
      assert.equal(granted.data.items[0].permission, "review");
      await group[`removeUserFrom${kind}`](id, grace.user);
      const { data: team } = await api.orgs.createOrganizationTeam(organization, {
        title: `Team of a ${kind}`,
        members: [grace.user],
      });
      await group[`inviteTo${kind}`](id, { teams: [team.id], role: "edit" });
      await group[`updateTeamPermissionIn${kind}`](id, team.id, { role: "comment" });
      const teams = await group[`listTeamPermissionsIn${kind}`](id);
      assert.deepEqual(teams.data.items.map((each) => [each.team.id, each.permission]), [[team.id, "comment"]]);
      await group[`removeTeamFrom${kind}`](id, team.id);
      const everybody = await group[`listPermissionsAggregateIn${kind}`]?.(id);
      if (everybody) assert.equal(everybody.data.count, 2);
    }
  });
}
