import { test } from "node:test";
import assert from "node:assert/strict";

/** Sites, their sections, groups and spaces, redirects, search and addresses. */
export function drive(world) {
  const parts = {};
  const sitesOf = () => [world.organization, parts.site.id];

  const space = async (title, page) => {
    const { data } = await world.api.orgs.createSpace(world.organization, { title });
    await world.server.api("POST", `/v1/spaces/${data.id}/content`, { changes: [
      { operation: "insert_page", title: `Start of ${title}`, document: { markdown: `All about ${title}.` } },
      { operation: "insert_page", title: page, document: { markdown: `How to work with ${page} in ${title}.` } },
    ] });
    return data;
  };

  test("make, list, change, publish and look up a site", async () => {
    const { api, organization } = world;
    parts.guide = await space("Guide", "Quickstart");
    parts.old = await space("Guide 1", "Quickstart");
    parts.reference = await space("Reference", "Endpoints");
    const { data: made } = await api.orgs.createSite(organization, {
      title: "Products",
      visibility: "public",
      spaces: [parts.guide.id],
    });
    parts.site = made;
    assert.equal(made.permissions.admin, true);
    assert.equal(made.ads.status, "disabled");
    const { data: listed } = await api.orgs.listSites(organization, {
      space: parts.guide.id,
      title: "prod",
      published: false,
    });
    assert.deepEqual(
      listed.items.map((each) => each.id),
      [made.id],
    );
    const { data: changed } = await api.orgs.updateSiteById(...sitesOf(), {
      title: "All products",
      basename: "products",
      proxy: "www.example.com/docs",
      agentsContext: "included",
      adaptiveContent: { enabled: true },
    });
    assert.equal(changed.proxy.origin, "www.example.com/docs");
    assert.ok(changed.proxy.target.endsWith("/products/"));
    assert.equal((await api.orgs.updateSiteById(...sitesOf(), { proxy: null })).data.proxy, undefined);
    await api.orgs.publishSite(...sitesOf());
    assert.equal((await api.orgs.unpublishSite(...sitesOf())).data.published, false);
    const { data: live } = await api.orgs.publishSite(...sitesOf());
    parts.url = live.urls.published;
    assert.equal((await api.orgs.getSiteById(...sitesOf())).data.title, "All products");
  });

  test("spaces at the root", async () => {
    const { api } = world;
    const { data: added } = await api.orgs.addSpaceToSite(...sitesOf(), { spaceId: parts.old.id });
    assert.equal(added.section, undefined);
    const { data: changed } = await api.orgs.updateSiteSpaceById(...sitesOf(), added.id, {
      path: "v1",
      condition: "visitor.claims.old === true",
    });
    assert.equal(changed.path, "v1");
    assert.equal(changed.condition, "visitor.claims.old === true");
    assert.equal(
      (await api.orgs.updateSiteSpaceById(...sitesOf(), added.id, { condition: null, spaceId: parts.old.id })).data
        .condition,
      undefined,
    );
    await assert.rejects(
      api.orgs.updateSiteSpaceById(...sitesOf(), added.id, { condition: "a ===" }),
      /\[400\].*condition.*Line 1/,
    );
    const { data: root } = await api.orgs.getSiteStructure(...sitesOf());
    assert.equal(root.type, "siteSpaces");
    const [first] = root.structure;
    await api.orgs.moveSiteSpace(...sitesOf(), added.id, {
      position: { before: { type: "site-space", siteSpace: first.id } },
    });
    const { data: moved } = await api.orgs.listSiteSpaces(...sitesOf(), { default: false });
    assert.deepEqual(moved.items.map((each) => each.path), ["v1"]);
    assert.equal((await api.orgs.updateSiteById(...sitesOf(), { defaultSiteSpace: added.id })).data.id, parts.site.id);
    assert.deepEqual(
      (await api.orgs.listSiteSpaces(...sitesOf(), { default: true })).data.items.map((each) => each.id),
      [added.id],
    );
    await api.orgs.updateSiteById(...sitesOf(), { defaultSiteSpace: first.id });
    const { data: sorted } = await api.orgs.sortSiteStructure(...sitesOf(), {
      item: { type: "site-space", id: added.id },
      position: { after: { type: "site-space", id: first.id } },
    });
    assert.equal(sorted.object, "site-space");
    Object.assign(parts, { first, added });
  });

  test("sections and groups", async () => {
    const { api, server } = world;
    const { data: guide } = await api.orgs.addSectionToSite(...sitesOf(), {
      spaceId: parts.guide.id,
      title: "Guides",
      icon: "book",
    });
    assert.deepEqual(
      guide.siteSpaces.map((each) => each.id),
      [parts.first.id, parts.added.id],
      "the first section takes in what is at the root",
    );
    assert.equal(guide.default, true);
    const { data: reference } = await api.orgs.addSectionToSite(...sitesOf(), { spaceId: parts.reference.id });
    assert.equal(reference.title, "Reference");
    const { data: changed } = await api.orgs.updateSiteSectionById(...sitesOf(), reference.id, {
      title: "API",
      path: "api",
      icon: "code",
      description: "All endpoints",
      condition: "true",
      defaultSiteSpace: reference.siteSpaces[0].id,
    });
    assert.equal(changed.urls.published, `${parts.url}api/`);
    await api.orgs.updateSiteSectionById(...sitesOf(), reference.id, { condition: null });
    const { data: variant } = await api.orgs.addSpaceToSite(...sitesOf(), {
      spaceId: parts.old.id,
      sectionId: reference.id,
    });
    assert.equal(variant.section, reference.id);
    await api.orgs.deleteSiteSpaceById(...sitesOf(), variant.id);
    await api.orgs.moveSiteSection(...sitesOf(), reference.id, {
      position: { before: { type: "site-section", siteSection: guide.id } },
    });
    assert.deepEqual(
      (await api.orgs.listSiteSections(...sitesOf())).data.items.map((each) => each.title),
      ["API", "Guides"],
    );

    const { data: group } = await api.orgs.addSectionGroupToSite(...sitesOf(), {
      title: "Developers",
      icon: "code",
      sections: [reference.id],
    });
    assert.deepEqual(
      group.children.map((each) => each.id),
      [reference.id],
    );
    const { data: inner } = await api.orgs.addSectionGroupToSite(...sitesOf(), { title: "Inner", parent: group.id });
    assert.equal(inner.sectionGroup, group.id);
    await api.orgs.updateSiteSectionGroupById(...sitesOf(), inner.id, { title: "More", icon: null });
    assert.equal(
      (await api.orgs.addSectionToGroup(...sitesOf(), inner.id, { sectionId: guide.id })).data.sections.length,
      1,
    );
    await api.orgs.removeSectionFromGroup(...sitesOf(), inner.id, guide.id);
    await api.orgs.moveSiteSectionGroup(...sitesOf(), inner.id, {});
    const { data: groups } = await api.orgs.listSiteSectionGroups(...sitesOf());
    assert.deepEqual(
      groups.items.map((each) => [each.title, each.sectionGroup]),
      [
        ["Developers", undefined],
        ["More", undefined],
      ],
    );
    await api.orgs.deleteSiteSectionGroupById(...sitesOf(), inner.id);

    const minimal = await fetch(`${server.base}/v1/orgs/${world.organization}/sites/${parts.site.id}/structure/sort`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        prefer: "return=minimal",
      },
      body: JSON.stringify({
        item: { type: "site-section", id: guide.id },
        position: { before: { type: "site-section-group", id: group.id } },
      }),
    });
    assert.equal(minimal.status, 204);
    assert.equal(minimal.headers.get("preference-applied"), "return=minimal");
    await api.orgs.updateSiteById(...sitesOf(), { defaultSiteSection: reference.id });
    await api.orgs.updateSiteById(...sitesOf(), { defaultSiteSection: guide.id });
    const { data: profile } = await api.orgs.getPublishedContentSite(...sitesOf());
    assert.equal(profile.structure.type, "sections");
    assert.deepEqual(profile.structure.structure.map((each) => each.title), ["Guides", "Developers"]);
    Object.assign(parts, { section: reference, guideSection: guide });
  });

  test("redirects", async () => {
    const { api } = world;
    const { data: made } = await api.orgs.createSiteRedirect(...sitesOf(), {
      source: "/docs/api",
      destination: { kind: "site-section", siteSectionId: parts.section.id },
    });
    const { data: found } = await api.orgs.getSiteRedirectBySource(...sitesOf(), { source: "/docs/api" });
    assert.equal(found.redirect.id, made.id);
    assert.equal(found.target, `${parts.url}api/`);
    const response = await fetch(`${parts.url}docs/api`, { redirect: "manual" });
    assert.equal(response.status, 307);
    assert.equal(new URL(response.headers.get("location"), parts.url).href, `${parts.url}api/`);
    const page = (await api.spaces.listPages(parts.guide.id)).data.pages.find((each) => each.slug === "quickstart");
    await api.orgs.updateSiteRedirectById(...sitesOf(), made.id, {
      destination: { kind: "site-page", siteSpaceId: parts.first.id, pageId: page.id },
    });
    assert.equal(
      (await api.orgs.getSiteRedirectBySource(...sitesOf(), { source: "/docs/api" })).data.target,
      `${parts.url}quickstart`,
    );
    await assert.rejects(
      api.orgs.createSiteRedirect(...sitesOf(), {
        source: "/docs/api",
        destination: { kind: "site-space", siteSpaceId: parts.first.id },
      }),
      /\[409\]/,
    );
    assert.equal((await api.orgs.listSiteRedirects(...sitesOf(), { search: "docs" })).data.count, 1);
    await api.orgs.deleteSiteRedirectById(...sitesOf(), made.id);
    assert.equal((await api.orgs.listSiteRedirects(...sitesOf())).data.count, 0);
  });

  test("search and addresses", async () => {
    const { api } = world;
    const search = async (body) =>
      (await api.orgs.searchSiteContent(...sitesOf(), { query: "quickstart", ...body })).data.items
        .map((each) => each.id)
        .sort();
    assert.deepEqual(await search({ scope: { mode: "all" } }), [parts.guide.id, parts.old.id].sort());
    assert.deepEqual(await search({ scope: { mode: "default" } }), [parts.guide.id]);
    assert.deepEqual(await search({ scope: { mode: "specific", siteSpaceIds: [parts.added.id] } }), [parts.old.id]);
    assert.deepEqual(await search({ mode: "current", siteSpaceId: parts.added.id }), [parts.old.id]);

    const { data: at } = await api.urls.resolvePublishedContentByUrl({ url: `${parts.url}api/endpoints` });
    assert.deepEqual(
      [at.site, at.siteSection, at.space, at.pathname],
      [parts.site.id, parts.section.id, parts.reference.id, "endpoints"],
    );
    assert.equal(at.canonicalUrl, `${parts.url}api/endpoints`);
    assert.deepEqual([at.contextId, at.apiToken], [undefined, ""]); // of a member who names no visitor
    const { data: older } = await api.urls.getPublishedContentByUrl({ url: `${parts.url}v1/` });
    assert.equal(older.space, parts.old.id);
    await assert.rejects(api.urls.resolvePublishedContentByUrl({ url: "https://nowhere.example.com/" }), /\[404\]/);
    const { data: named } = await api.urls.getContentByUrl({ url: `${parts.url}api/endpoints` });
    assert.equal(named.space.id, parts.reference.id);
    assert.equal(named.page.path, "endpoints");
    const { data: app } = await api.urls.getContentByUrl({ url: named.page.urls.app });
    assert.equal(app.page.id, named.page.id);
  });

  test("delete", async () => {
    const { api, organization } = world;
    await api.orgs.deleteSiteSectionById(...sitesOf(), parts.section.id);
    await api.orgs.deleteSiteSectionById(...sitesOf(), parts.guideSection.id);
    const { data: left } = await api.orgs.getSiteStructure(...sitesOf());
    assert.deepEqual(left.structure.filter((each) => each.object === "site-section"), []);
    assert.equal((await api.orgs.listSiteSpaces(...sitesOf())).data.count, 2);
    await api.orgs.deleteSiteById(...sitesOf());
    assert.equal((await api.spaces.getSpaceById(parts.guide.id)).data.id, parts.guide.id);
    assert.equal((await api.orgs.listSites(organization, { title: "All products" })).data.count, 0);
  });
}
