import { test } from "node:test";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";

const encode = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A visitor's token as a site's own sign-in page would make it. */
export function visitorToken(key, claims) {
  const head = encode({ alg: "HS256", typ: "JWT" });
  const body = encode({ exp: Math.floor(Date.now() / 1000) + 600, ...claims });
  return `${head}.${body}.${createHmac("sha256", key).update(`${head}.${body}`).digest("base64url")}`;
}

/** Share links, visitor authentication and adaptive content of sites. */
export function drive(world) {
  /** A published site with one page. */
  async function publishedSite(visibility) {
    const { api, organization } = world;
    const space = (await api.orgs.createSpace(organization, { title: `For ${visibility}` })).data;
    await world.server.api("POST", `/v1/spaces/${space.id}/content`, {
      changes: [{ operation: "insert_page", title: "Start", document: { markdown: "The whole text.\n" } }],
    });
    const site = (
      await api.orgs.createSite(organization, { title: `For ${visibility}`, visibility, spaces: [space.id] })
    ).data;
    const published = (await api.orgs.publishSite(organization, site.id)).data;
    return { id: site.id, space: space.id, url: published.urls.published };
  }
  const status = async (url, cookie) =>
    (await fetch(url, { redirect: "manual", headers: cookie ? { cookie } : {} })).status;
  const cookieOf = (response) =>
    response.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");

  test("share links", async () => {
    const { api, organization } = world;
    const site = await publishedSite("share-link");
    const { data: link } = await api.orgs.createSiteShareLink(organization, site.id, { name: "Customers" });
    assert.equal(link.active, true);
    assert.ok(link.urls.published.startsWith(site.url));
    await api.orgs.createSiteShareLink(organization, site.id, { name: "Partners" });
    const { data: list } = await api.orgs.listSiteShareLinks(organization, site.id, { limit: 1 });
    assert.equal(list.count, 2);
    assert.equal(list.items[0].id, link.id);
    const { data: rest } = await api.orgs.listSiteShareLinks(organization, site.id, { page: list.next.page });
    assert.deepEqual(rest.items.map((each) => each.name), ["Partners"]);

    assert.equal(await status(site.url), 404);
    const opened = await fetch(link.urls.published, { redirect: "manual" });
    assert.equal(opened.status, 303);
    const cookie = cookieOf(opened);
    assert.equal(await status(site.url, cookie), 200);

    const shareKey = link.urls.published.slice(site.url.length, -1);
    const { data: profile } = await api.orgs.getPublishedContentSite(organization, site.id, { shareKey });
    assert.equal(profile.site.urls.published, link.urls.published);
    const { data: space } = await api.spaces.getSpaceById(site.space, { shareKey });
    assert.equal(space.urls.published, link.urls.published);

    const { data: closed } = await api.orgs.updateSiteShareLinkById(organization, site.id, link.id, {
      active: false,
      name: "Former customers",
    });
    assert.equal(closed.active, false);
    assert.equal(closed.name, "Former customers");
    assert.equal(await status(site.url, cookie), 404);
    await api.orgs.deleteSiteShareLinkById(organization, site.id, link.id);
    const { data: left } = await api.orgs.listSiteShareLinks(organization, site.id);
    assert.equal(left.count, 1);
  });

  test("visitor authentication", async () => {
    const { api, organization } = world;
    const site = await publishedSite("visitor-auth");
    const { data: auth } = await api.orgs.getSitePublishingAuthById(organization, site.id);
    assert.equal(auth.backend, "custom");
    const { data: changed } = await api.orgs.updateSitePublishingAuthById(organization, site.id, {
      backend: "custom",
      fallbackURL: "https://example.org/login",
    });
    assert.equal(changed.fallbackURL, "https://example.org/login");
    assert.equal(changed.privateKey, auth.privateKey);

    const asked = await fetch(`${site.url}start`, { redirect: "manual", headers: { accept: "text/html" } });
    assert.equal(asked.headers.get("location"), "https://example.org/login?location=%2Fstart");
    const entered = await fetch(`${site.url}start?jwt_token=${visitorToken(auth.privateKey, {})}`, {
      redirect: "manual",
    });
    assert.equal(entered.status, 303);
    assert.equal(await status(site.url, cookieOf(entered)), 200);

    const { data: looked } = await api.urls.resolvePublishedContentByUrl({
      url: `${site.url}start?jwt_token=${visitorToken(auth.privateKey, {})}`,
    });
    assert.equal(looked.space, site.space);
    assert.ok(looked.contextId);

    const { data: regenerated } = await api.orgs.regenerateSitePublishingAuthById(organization, site.id);
    assert.notEqual(regenerated.privateKey, auth.privateKey);
    assert.equal(await status(site.url, cookieOf(entered)), 200);
    const { data: without } = await api.orgs.updateSitePublishingAuthById(organization, site.id, {
      backend: "custom",
      fallbackURL: null,
    });
    assert.equal(without.fallbackURL, undefined);
  });

  test("members as visitors", async () => {
    const { api, organization } = world;
    const site = await publishedSite("visitor-auth");
    const member = {
      type: "object",
      description: "Members",
      properties: { role: { type: "string", description: "Role" } },
      additionalProperties: false,
    };
    await api.orgs.updateSiteAdaptiveSchema(organization, site.id, {
      jsonSchema: { type: "object", properties: { member }, additionalProperties: false },
    });
    const { data: seen } = await api.orgs.updateOrganizationMemberLastSeenAt(organization);
    assert.equal(seen.serviceVisitorClaims, seen.gitbookVisitorClaims);
    const claims = JSON.parse(Buffer.from(seen.gitbookVisitorClaims.split(".")[1], "base64url"));
    assert.equal(claims.aud, organization);
    assert.equal(claims.member.role, "admin");
    assert.ok(claims.exp > Date.now() / 1000);
    const entered = await fetch(`${site.url}?jwt_token=${seen.gitbookVisitorClaims}`, { redirect: "manual" });
    assert.equal(entered.status, 303);
    assert.equal(await status(site.url, cookieOf(entered)), 200);
    assert.equal(await status(`${site.url}?jwt_token=${seen.gitbookVisitorClaims.slice(0, -2)}`), 404);
  });

  test("adaptive content", async () => {
    const { api, organization } = world;
    const site = await publishedSite("public");
    await assert.rejects(
      api.orgs.getSiteAdaptiveSchema(organization, site.id),
      (failure) => failure.statusCode === 404 || /404|no adaptive schema/.test(failure.message),
    );
    const jsonSchema = {
      type: "object",
      properties: {
        isBeta: { type: "boolean", description: "Takes part in the beta" },
        unsigned: {
          type: "object",
          description: "Unsigned claims of the site visitor.",
          properties: { language: { type: "string", enum: ["en", "de"], description: "Language" } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    };
    const { data: put } = await api.orgs.updateSiteAdaptiveSchema(organization, site.id, { jsonSchema });
    assert.deepEqual(put.jsonSchema, jsonSchema);
    const { data: got } = await api.orgs.getSiteAdaptiveSchema(organization, site.id);
    assert.deepEqual(got, put);
    const { data: conditions } = await api.orgs.listSiteAdaptiveTemplateConditions(organization, site.id);
    assert.deepEqual(
      conditions.items.map((each) => each.condition),
      [
        "visitor.claims.isBeta === true",
        'visitor.claims.unsigned.language === "en"',
        'visitor.claims.unsigned.language === "de"',
      ],
    );
    const { data: adaptive } = await api.orgs.updateSiteById(organization, site.id, {
      adaptiveContent: { enabled: true },
    });
    assert.equal(adaptive.adaptiveContent.enabled, true);
  });
}
