import { test } from "node:test";
import assert from "node:assert/strict";

/** Change requests. */
export function drive(world) {
  let space, change;

  test("open one and find it", async () => {
    const { api, organization } = world;
    space = (await api.orgs.createSpace(organization, { title: "Proposals" })).data;
    change = (await api.spaces.createChangeRequest(space.id, { subject: "Say more" })).data;
    assert.equal(change.number, 1);
    assert.equal(change.status, "draft");
    const { data: byID } = await api.spaces.getChangeRequestById(space.id, change.id);
    const { data: byNumber } = await api.spaces.getChangeRequestById(space.id, "1");
    assert.deepEqual(byID, byNumber);
    const { data: drafts } = await api.spaces.listChangeRequestsForSpace(space.id, { status: "draft" });
    assert.deepEqual(drafts.items.map((each) => each.id), [change.id]);
  });
}
