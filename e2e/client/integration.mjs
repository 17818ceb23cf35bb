import { test } from "node:test";
import assert from "node:assert/strict";

const icon = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>',
).toString("base64");
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";

/** Integrations and where they are installed. */
export function drive(world) {
  const name = "client-tracker";
  let installation;
  let space;
  let site;

  test("publish, list, get", async () => {
    const { api, organization } = world;
    const publication = {
      organization,
      runtime: "v1",
      title: "Client tracker",
      description: "Shows tickets.",
      summary: "# Tickets\n\nOn every page.",
      icon,
      previewImages: [pixel],
      visibility: "public",
      target: "all",
      scopes: ["space:content:read", "site:script:inject", "site:script:cookies"],
      categories: ["collaboration"],
      blocks: [
        {
          id: "ticket",
          title: "Ticket",
          description: "One ticket.",
          urlUnfurl: ["https://*.tickets.example/t/**"],
          markdown: { codeblock: "ticket", body: "id" },
        },
      ],
      contentSources: [{ id: "board", title: "Board", configuration: { componentId: "board" } }],
      externalLinks: [{ url: "https://tickets.example/help", label: "Help" }],
      configurations: {
        account: {
          properties: {
            key: { type: "string", title: "Key" },
            zone: { type: "string", enum: ["eu", "us"], default: "eu" },
          },
          required: ["key"],
        },
        space: { properties: { project: { type: "string", completion_url: "/projects" } } },
        site: { componentId: "site-settings" },
      },
      runtime: "v2",
      script: "export default {};",
      secrets: { TOKEN: "kept to itself" },
      contentSecurityPolicy: { "default-src": "'none';", "img-src": "https://tickets.example\n data:" },
    };
    const { data: first } = await api.integrations.publishIntegration(name, publication);
    assert.equal(first.version, 1);
    assert.equal(first.contentSecurityPolicy, "default-src 'none'; img-src https://tickets.example data:");
    const { data: second } = await api.integrations.publishIntegration(name, publication);
    assert.equal(second.version, 2);
    assert.doesNotMatch(JSON.stringify(second), /kept to itself/);
    for (const [address, type] of [[second.urls.icon, "image/svg+xml"], [second.previewImages[0], "image/png"]]) {
      const picture = await fetch(address);
      assert.equal(picture.status, 200);
      assert.equal(picture.headers.get("content-type"), type);
    }
    assert.equal((await fetch(second.urls.publicEndpoint)).status, 500);

    for (const query of [
      {},
      { search: "CLIENT" },
      { category: "collaboration" },
      { blockDomain: "tickets.example" },
      { blocks: true },
      { contentSources: true },
      { owner: organization },
      { scope: "site:script:inject" },
      { target: "all" },
    ]) {
      const { data: list } = await api.integrations.listIntegrations(query);
      assert.deepEqual(list.items.map((each) => each.name), [name], JSON.stringify(query));
    }
    for (const query of [{ search: "none" }, { category: "gitsync" }, { blocks: false }, { target: "site" }]) {
      const { data: list } = await api.integrations.listIntegrations(query);
      assert.equal(list.count, 0, JSON.stringify(query));
    }
    const { data: found } = await api.integrations.getIntegrationByName(name);
    assert.equal(found.owner.id, organization);
    assert.deepEqual(found.permissions, { admin: true, install: true });
    const { data: offered } = await api.orgs.listOrganizationIntegrations(organization);
    assert.equal(offered.count, 1);
  });

  test("install in the organization", async () => {
    const { api, organization } = world;
    installation = (await api.integrations.installIntegration(name, { organization })).data;
    assert.equal(installation.status, "pending");
    assert.deepEqual(installation.configuration, { zone: "eu" });
    await assert.rejects(
      api.integrations.updateIntegrationInstallation(name, installation.id, { configuration: { zone: "mars" } }),
      /400/,
    );
    const { data: changed } = await api.integrations.updateIntegrationInstallation(name, installation.id, {
      configuration: { key: "k" }, externalIds: ["acme"], space_selection: "selected", site_selection: "selected",
    });
    assert.equal(changed.status, "active");
    const { data: read } = await api.integrations.getIntegrationInstallationById(name, installation.id);
    assert.deepEqual(read.externalIds, ["acme"]);
    const { data: listed } = await api.integrations.listIntegrationInstallations(name, { externalId: "acme" });
    assert.deepEqual(listed.items.map((each) => each.id), [installation.id]);
    const { data: status } = await api.orgs.getOrganizationIntegrationStatus(organization, name);
    assert.equal(status.status, "active");
    const { data: statuses } = await api.orgs.listOrganizationIntegrationsStatus(organization, { target: "space" });
    assert.equal(statuses.items[0].integration.name, name);
    const { data: installed } = await api.orgs.listOrganizationInstallations(organization, { search: "client" });
    assert.equal(installed.items[0].installation.id, installation.id);
  });

  test("install on a space", async () => {
    const { api, organization } = world;
    space = (await api.orgs.createSpace(organization, { title: "Tickets" })).data;
    const { data: on } = await api.integrations.installIntegrationOnSpace(name, installation.id, { space: space.id });
    assert.equal(on.space, space.id);
    const { data: changed } = await api.integrations.updateIntegrationSpaceInstallation(name, installation.id, space.id,
      { configuration: { project: "p" }, externalIds: ["space"] });
    assert.deepEqual(changed.configuration, { project: "p" });
    const { data: extended } = await api.integrations.getIntegrationSpaceInstallation(name, installation.id, space.id, {
      extended: true,
    });
    assert.equal(extended.space.title, "Tickets");
    const { data: spaces } = await api.integrations.listIntegrationInstallationSpaces(name, installation.id, {
      extended: true,
    });
    assert.equal(spaces.items[0].space.id, space.id);
    const { data: all } = await api.integrations.listIntegrationSpaceInstallations(name, { externalId: "space" });
    assert.equal(all.count, 1);
    const { data: here } = await api.spaces.listSpaceIntegrations(space.id, { search: "tracker" });
    assert.equal(here.items[0].name, name);
    const { data: blocks } = await api.spaces.listSpaceIntegrationsBlocks(space.id);
    assert.equal(blocks[0].blocks[0].id, "ticket");
    await api.integrations.uninstallIntegrationFromSpace(name, installation.id, space.id);
    await assert.rejects(api.integrations.getIntegrationSpaceInstallation(name, installation.id, space.id), /404/);
  });

  test("install on a site", async () => {
    const { api, organization } = world;
    site = (await api.orgs.createSite(organization, { title: "Tickets" })).data;
    const { data: on } = await api.integrations.installIntegrationOnSite(name, installation.id, { siteId: site.id });
    assert.equal(on.site, site.id);
    await api.integrations.updateIntegrationSiteInstallation(name, installation.id, site.id, {
      configuration: { anything: [1] },
      externalIds: ["site"],
    });
    const { data: extended } = await api.integrations.getIntegrationSiteInstallation(name, installation.id, site.id, {
      extended: true,
    });
    assert.equal(extended.site.title, "Tickets");
    const { data: sites } = await api.integrations.listIntegrationInstallationSites(name, installation.id, {
      extended: true,
    });
    assert.equal(sites.items[0].site.id, site.id);
    const { data: all } = await api.integrations.listIntegrationSiteInstallations(name, { externalId: "site" });
    assert.equal(all.count, 1);
    const { data: here } = await api.orgs.listSiteIntegrations(organization, site.id);
    assert.equal(here.items[0].name, name);
    await api.integrations.uninstallIntegrationFromSite(name, installation.id, site.id);
  });

  test("uninstall, unpublish", async () => {
    const { api } = world;
    await api.integrations.uninstallIntegration(name, installation.id);
    await assert.rejects(api.integrations.getIntegrationInstallationById(name, installation.id), /404/);
    await api.integrations.unpublishIntegration(name);
    await assert.rejects(api.integrations.getIntegrationByName(name), /404/);
  });

  test("every operation of integrations was driven", () => {
    const { record } = world;
    const wanted = [
      "listIntegrations",
      "getIntegrationByName",
      "publishIntegration",
      "unpublishIntegration",
      "listIntegrationInstallations",
      "installIntegration",
      "getIntegrationInstallationById",
      "updateIntegrationInstallation",
      "uninstallIntegration",
      "listIntegrationInstallationSpaces",
      "installIntegrationOnSpace",
      "getIntegrationSpaceInstallation",
      "updateIntegrationSpaceInstallation",
      "uninstallIntegrationFromSpace",
      "listIntegrationInstallationSites",
      "installIntegrationOnSite",
      "getIntegrationSiteInstallation",
      "updateIntegrationSiteInstallation",
      "uninstallIntegrationFromSite",
      "listIntegrationSpaceInstallations",
      "listIntegrationSiteInstallations",
      "listOrganizationIntegrations",
      "getOrganizationIntegrationStatus",
      "listOrganizationInstallations",
      "listOrganizationIntegrationsStatus",
      "listSpaceIntegrations",
      "listSpaceIntegrationsBlocks",
      "listSiteIntegrations",
    ];
    assert.deepEqual(wanted.filter((id) => !record.driven.has(id)), []);
  });
}
