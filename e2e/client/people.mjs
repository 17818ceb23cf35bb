import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { recto, startRecto } from "../recto.mjs";
import { startMailServer } from "../smtp.mjs";
import { clientFor } from "./validated.mjs";

/** A picture of one pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const refused = (status) => (error) =>
  error.statusCode === status || error.code === status || assert.fail(`not ${status}: ${error}`);

/**
 * Organizations, members, teams, invites and the audit log. They have a server of their own, since they lock people
 * out.
 */
export function drive({ record }) {
  const here = {};
  let mail;
  let pictures;

  /** A member of the organization with a token of their own. */
  async function person(role, email) {
    const made = JSON.parse(
      await recto([
        "user",
        "add",
        "--data",
        here.server.data,
        "--email",
        email,
        "--name",
        email.split("@")[0],
        "--org",
        here.organization,
        "--role",
        role,
      ]),
    );
    return { id: made.user, email, api: clientFor({ base: here.server.base, token: made.token, record }) };
  }

  before(async () => {
    mail = await startMailServer();
    here.server = await startRecto({
      flags: [
        "--fetch-allow",
        "127.0.0.0/8",
        "--rate-limit",
        "0",
        "--smtp-url",
        mail.url,
        "--mail-from",
        "Recto <docs@example.org>",
      ],
    });
    here.organization = here.server.organization;
    here.api = clientFor({ base: here.server.base, token: here.server.token, record });
    pictures = createServer((request, response) => {
      response.writeHead(200, { "content-type": "image/png" });
      response.end(request.url === "/logo.png" ? pixel : "<svg xmlns='http://www.w3.org/2000/svg'/>");
    });
    await new Promise((done) => pictures.listen(0, "127.0.0.1", done));
    here.pictures = `http://127.0.0.1:${pictures.address().port}`;
    here.ada = (await here.api.user.getAuthenticatedUser()).data;
  });

  after(async () => {
    pictures?.close();
    await here.server?.stop();
    await mail?.stop();
  });

  test("organizations", async () => {
    const { api, organization, server } = here;
    // The client has no function for this one.
    const made = await server.api("POST", "/v1/orgs?withDefaultSite=true", {
      title: "Second",
      type: "community",
      useCase: "notes",
    });
    assert.equal(made.type, "community");
    assert.equal(made.useCase, "notes");
    assert.equal(made.defaultContent.type, "site");
    assert.equal((await api.orgs.listSites(made.id)).data.items[0].id, made.defaultContent.site);
    here.second = made;

    const { data: changed } = await api.orgs.updateOrganizationById(organization, {
      title: "Example & Sons",
      hostname: "example-sons",
      defaultRole: null,
      emailDomains: ["example.org"],
      ai: true,
      logo: `${here.pictures}/logo.png`,
    });
    assert.equal(changed.title, "Example & Sons");
    assert.equal(changed.defaultRole, null);
    assert.deepEqual(changed.emailDomains, ["example.org"]);
    const logo = await fetch(changed.urls.logo);
    assert.equal(logo.headers.get("content-type"), "image/png");
    assert.deepEqual(Buffer.from(await logo.arrayBuffer()), pixel);
    assert.equal(changed.billing.hasPaymentFailed, false);
    const { data: list } = await api.orgs.listOrganizationsForAuthenticatedUser();
    assert.deepEqual(list.items.map((each) => each.id), [organization, made.id]);

    await assert.rejects(api.orgs.updateOrganizationById(organization, { hostname: "admin" }), refused(400));
    await assert.rejects(api.orgs.updateOrganizationById(organization, { hostname: made.hostname }), refused(409));
    await assert.rejects(
      api.orgs.updateOrganizationById(organization, { emailDomains: ["elsewhere.example"] }),
      refused(400),
    );
    await assert.rejects(
      api.orgs.updateOrganizationById(organization, { logo: `${here.pictures}/logo.svg` }),
      refused(400),
    );
    await assert.rejects(
      api.orgs.updateOrganizationById(organization, {
        defaultContent: { type: "site", site: made.defaultContent.site },
      }),
      refused(400),
    );
    await api.orgs.updateOrganizationById(organization, { logo: null, defaultContent: null, defaultRole: "read" });
    assert.equal((await fetch(changed.urls.logo)).status, 404);

    const { data: subdomain } = await api.subdomains.getSubdomain("example-sons");
    assert.equal(subdomain.target.organization, organization);
    const { data: mine } = await api.emailDomains.getOrganizationsForEmailDomain("example.org");
    assert.deepEqual(mine.organizations.map((each) => each.id), [organization]);
    const challenge = await server.api("GET", `/v1/orgs/${organization}/email-domains/elsewhere.example`);
    assert.equal(challenge.verified, false);
    assert.match(challenge.record.name, /elsewhere\.example$/);
  });

  test("users", async () => {
    const { api, ada } = here;
    here.reader = await person("read", "reader@example.org");
    const { data: changed } = await api.users.updateUserById(ada.id, {
      displayName: "Ada L.",
      photoURL: "https://example.org/ada.png",
    });
    assert.equal(changed.displayName, "Ada L.");
    assert.equal((await here.reader.api.users.getUserById(ada.id)).data.displayName, "Ada L.");
    await assert.rejects(here.reader.api.users.updateUserById(ada.id, { displayName: "Eve" }), refused(403));
  });

  test("members", async () => {
    const { api, organization, ada, reader } = here;
    const guest = await person("guest", "guest@example.org");
    const { data: list } = await api.orgs.listMembersInOrganizationById(organization, { order: "asc" });
    assert.deepEqual(list.items.map((each) => each.id), [ada.id, reader.id, guest.id]);
    assert.equal(list.items[2].role, null);
    assert.deepEqual(
      (await api.orgs.listMembersInOrganizationById(organization, { role: "guest" })).data.items.map((each) => each.id),
      [guest.id],
    );
    assert.deepEqual(
      (await api.orgs.listMembersInOrganizationById(organization, { search: "READER@" })).data.items.map(
        (each) => each.id,
      ),
      [reader.id],
    );

    await reader.api.orgs.updateOrganizationMemberLastSeenAt(organization);
    assert.deepEqual(
      (await api.orgs.listMembersInOrganizationById(organization, { sort: "lastSeenAt" })).data.items.map(
        (each) => each.id,
      ),
      [reader.id],
    );
    const { data: seen } = await api.orgs.getMemberInOrganizationById(organization, reader.id);
    assert.ok(seen.lastSeenAt);

    assert.equal(
      (await api.orgs.updateMemberInOrganizationById(organization, reader.id, { role: "edit" })).data.role,
      "edit",
    );
    await assert.rejects(api.orgs.updateMemberInOrganizationById(organization, ada.id, { role: "read" }), refused(409));
    await assert.rejects(api.orgs.removeMemberFromOrganizationById(organization, ada.id), refused(409));
    assert.equal((await api.orgs.setUserAsSsoMemberForOrganization(organization, reader.id)).data.sso, true);

    const { data: space } = await api.orgs.createSpace(organization, { title: "Open" });
    const { data: closed } = await api.orgs.createSpace(organization, { title: "Closed" });
    await api.spaces.updateSpaceById(closed.id, { defaultLevel: null });
    const { data: spaces } = await api.orgs.listSpacesForOrganizationMember(organization, reader.id, { order: "asc" });
    assert.deepEqual(spaces.items.map((each) => [each.space.id, each.permission]), [[space.id, "edit"]]);
    assert.equal((await api.orgs.getMemberInOrganizationById(organization, reader.id)).data.spaces, 1);
    Object.assign(here, { guest, space });
  });

  test("teams", async () => {
    const { api, organization, reader, guest, ada } = here;
    const { data: team } = await api.orgs.createOrganizationTeam(organization, {
      title: "Writers",
      members: [reader.id],
    });
    assert.equal(team.members, 1);
    await api.orgs.updateTeamInOrganizationById(organization, team.id, { title: "Editors" });
    assert.equal((await api.orgs.getTeamInOrganizationById(organization, team.id)).data.title, "Editors");
    await api.orgs.addMemberToOrganizationTeamById(organization, team.id, reader.id, { role: "owner" });
    assert.deepEqual(
      (await api.orgs.listTeamsInOrganizationById(organization, { owner: reader.id, title: "EDIT" })).data.items.map(
        (each) => each.id,
      ),
      [team.id],
    );
    assert.equal((await reader.api.orgs.getTeamInOrganizationById(organization, team.id)).data.permissions.admin, true);

    await reader.api.orgs.updateMembersInOrganizationTeam(organization, team.id, {
      add: [guest.id, ada.id],
      memberships: { [guest.id]: { role: "owner" } },
      remove: [ada.email],
    });
    const { data: members } = await api.orgs.listTeamMembersInOrganizationById(organization, team.id);
    assert.deepEqual(
      members.items.map((each) => [each.organization.id, each.team.role]),
      [
        [reader.id, "owner"],
        [guest.id, "owner"],
      ].sort(),
    );
    await assert.rejects(
      api.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["user_nobody"], remove: [guest.id] }),
      refused(400),
    );
    await assert.rejects(
      reader.api.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["nobody@example.org"] }),
      refused(403),
    );
    assert.equal((await api.orgs.listTeamMembersInOrganizationById(organization, team.id)).data.count, 2);
    await api.orgs.deleteMemberFromOrganizationTeamById(organization, team.id, guest.id);
    assert.deepEqual(
      (await api.orgs.listTeamsForOrganizationMember(organization, reader.id, { title: "edit" })).data.items.map(
        (each) => each.member.role,
      ),
      ["owner"],
    );

    // What teams are given in spaces and collections.
    const { data: collection } = await api.orgs.createCollection(organization, { title: "Handbooks" });
    await api.spaces.inviteToSpace(here.space.id, { teams: [team.id], role: "review" });
    await api.spaces.updateTeamPermissionInSpace(here.space.id, team.id, { role: "comment" });
    assert.equal((await api.spaces.listTeamPermissionsInSpace(here.space.id)).data.items[0].permission, "comment");
    assert.equal((await api.orgs.getTeamInOrganizationById(organization, team.id)).data.spaces, 1);
    await api.spaces.removeTeamFromSpace(here.space.id, team.id);
    await api.collections.inviteToCollection(collection.id, { teams: [team.id], role: "review" });
    await api.collections.updateTeamPermissionInCollection(collection.id, team.id, { role: "read" });
    assert.equal(
      (await api.collections.listTeamPermissionsInCollection(collection.id)).data.items[0].permission,
      "read",
    );
    await api.collections.removeTeamFromCollection(collection.id, team.id);
    Object.assign(here, { team, collection });
  });

  test("invites by e-mail", async () => {
    const { api, organization, team } = here;
    const { data: invited } = await api.orgs.inviteUsersToOrganization(organization, {
      emails: ["new@people.example", { email: "other@people.example", role: "comment" }], role: "edit",
    });
    assert.deepEqual([invited.users, invited.invited], [[], 2]);
    await api.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["new@people.example"] });

    const message = await mail.to("new@people.example");
    await assert.doesNotReject(mail.to("other@people.example"));
    const last = async () => mail.messages.filter((each) => each.to === "new@people.example");
    for (let tries = 0; (await last()).length < 2 && tries < 200; tries++)
      await new Promise((done) => setTimeout(done, 50));
    const secret = (text) => text.match(/\/invites\/org_\w+\/(invite_[a-z2-7]+)/)[1];
    const messages = await last();
    const outsider = await outsiderWith("new@people.example");
    const secrets = messages.map((each) => secret(each.text));
    // The second invite took the place of the first.
    const outcomes = await Promise.all(
      secrets.map((each) =>
        outsider.api.orgs.joinOrganizationWithInvite(organization, each).then(
          () => true,
          () => false,
        ),
      ),
    );
    assert.equal(outcomes.filter(Boolean).length, 1);
    assert.ok(message);
    const { data: member } = await api.orgs.getMemberInOrganizationById(organization, outsider.id);
    assert.equal(member.teams, 1);

    const { data: again } = await api.orgs.inviteUsersToOrganization(organization, { emails: ["new@people.example"] });
    assert.deepEqual([again.users, again.invited], [[], 0]);
  });

  /** Somebody who is in the second organization only. */
  async function outsiderWith(email) {
    const made = JSON.parse(
      await recto([
        "user",
        "add",
        "--data",
        here.server.data,
        "--email",
        email,
        "--name",
        "Newcomer",
        "--org",
        here.second.id,
        "--role",
        "read",
      ]),
    );
    return { id: made.user, api: clientFor({ base: here.server.base, token: made.token, record }) };
  }

  test("invite links", async () => {
    const { api, organization, space, collection } = here;
    const { data: link } = await api.orgs.createOrganizationInvite(organization, { role: "read" });
    const { data: toSpace } = await api.orgs.createOrganizationInvite(organization, {
      level: "comment",
      space: space.id,
    });
    const { data: toCollection } = await api.orgs.createOrganizationInvite(organization, {
      level: "read",
      collection: collection.id,
    });
    assert.equal(toSpace.space.id, space.id);
    assert.equal(toCollection.collection.id, collection.id);
    assert.equal((await api.orgs.listOrganizationInviteLinks(organization)).data.count, 3);
    assert.equal((await api.orgs.getOrganizationInviteLink(organization, link.id)).data.redundant, true);
    assert.equal(
      (await api.orgs.updateOrganizationInviteById(organization, link.id, { role: "comment" })).data.role,
      "comment",
    );
    assert.equal(
      (await api.orgs.updateOrganizationInviteById(organization, toSpace.id, { level: "edit" })).data.level,
      "edit",
    );

    const joining = await outsiderWith("joining@people.example");
    await joining.api.orgs.joinOrganizationWithInvite(organization, toSpace.id);
    assert.equal((await api.orgs.getMemberInOrganizationById(organization, joining.id)).data.role, null);
    assert.equal((await joining.api.spaces.getSpaceById(space.id)).data.permissions.edit, true);
    await joining.api.orgs.joinOrganizationWithInvite(organization, link.id);
    assert.equal((await api.orgs.getMemberInOrganizationById(organization, joining.id)).data.role, "comment");

    await api.orgs.deleteOrganizationInviteById(organization, link.id);
    const late = await outsiderWith("late@people.example");
    await assert.rejects(late.api.orgs.joinOrganizationWithInvite(organization, link.id), refused(404));
    await api.orgs.updateOrganizationById(organization, { inviteLinks: false });
    await assert.rejects(late.api.orgs.joinOrganizationWithInvite(organization, toSpace.id), refused(403));
    await assert.rejects(api.orgs.createOrganizationInvite(organization, { role: "read" }), refused(409));
  });

  test("joining by e-mail domain", async () => {
    const { api, organization } = here;
    const colleague = await outsiderWith("colleague@example.org");
    await colleague.api.orgs.joinOrganization(organization);
    assert.equal((await api.orgs.getMemberInOrganizationById(organization, colleague.id)).data.role, "read");
    const stranger = await outsiderWith("stranger@people.example");
    await assert.rejects(stranger.api.orgs.joinOrganization(organization), refused(400));

    // Who was removed does not come back alone.
    await api.orgs.removeMemberFromOrganizationById(organization, colleague.id);
    await assert.rejects(colleague.api.orgs.getOrganizationById(organization), refused(404));
    await assert.rejects(colleague.api.orgs.joinOrganization(organization), refused(403));
    await api.orgs.removeTeamFromOrganizationById(organization, here.team.id);
  });

  test("the audit log", async () => {
    const { server, organization, ada } = here;
    const first = await server.api("GET", `/v1/orgs/${organization}/audit?limit=5`);
    assert.equal(first.items.length, 5);
    assert.equal(first.items[0].action, "team.delete");
    assert.equal(first.items[0].actor.user.id, ada.id);
    const removals = await server.api("GET", `/v1/orgs/${organization}/audit?action=member.remove`);
    assert.equal(removals.count, 1);
    const lines = await fetch(`${server.base}/v1/orgs/${organization}/audit/export`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const entries = (await lines.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(entries.length, first.count);
    assert.doesNotMatch(JSON.stringify(entries), /invite_[a-z2-7]{32}/);
    const table = await fetch(`${server.base}/v1/orgs/${organization}/audit/export?format=csv&action=member.remove`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    assert.equal((await table.text()).trim().split("\n").length, 2);
  });
}
