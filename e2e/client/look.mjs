import { test } from "node:test";
import assert from "node:assert/strict";

const colours = (light, dark) => ({ light, dark });

/** A customization with something in every member that the client knows. */
export const everything = {
  title: "Handbook",
  styling: {
    theme: "gradient",
    primaryColor: colours("#7048e8", "#b197fc"),
    tint: { color: colours("#7048e8", "#7048e8") },
    infoColor: colours("#1c7ed6", "#74c0fc"),
    successColor: colours("#2b8a3e", "#69db7c"),
    warningColor: colours("#e67700", "#ffd43b"),
    dangerColor: colours("#c92a2a", "#ff8787"),
    corners: "circular",
    depth: "flat",
    links: "accent",
    font: "Poppins",
    monospaceFont: "FiraCode",
    background: "match",
    icons: "duotone",
    sidebar: { background: "filled", list: "line" },
    search: "subtle",
  },
  internationalization: { locale: "fr" },
  favicon: { emoji: "1f4d8" },
  header: {
    preset: "default",
    links: [
      { title: "Status", style: "link", to: { kind: "url", url: "https://status.example.org" }, links: [] },
      { title: "More", to: null, links: [{ title: "Blog", to: { kind: "url", url: "https://blog.example.org" } }] },
      {
        title: "Start",
        style: "button-primary",
        to: { kind: "url", url: "https://app.example.org" },
        links: [],
        condition: "true",
      },
    ],
  },
  footer: {
    groups: [
      { title: "Product", links: [{ title: "Pricing", to: { kind: "url", url: "https://example.org/pricing" } }] },
    ],
    copyright: "© Example",
  },
  announcement: {
    enabled: true,
    message: "Version 2 is out",
    style: "success",
    link: { title: "Read more", to: { kind: "url", url: "https://example.org/2" } },
  },
  themes: { default: "dark", toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: true },
  ai: { mode: "none" },
  advancedCustomization: { enabled: true },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: true, mcp: false },
  externalLinks: { target: "blank" },
  pagination: { enabled: false },
  trademark: { enabled: false },
  privacyPolicy: { url: "https://example.org/privacy" },
  socialPreview: { url: "https://example.org/card.png" },
  insights: { trackingCookie: false },
};

/** Whether all that one value says is in the other; returns where it is not. */
function lost(part, whole, path = "") {
  if (part === null || typeof part !== "object" || Array.isArray(part)) {
    return JSON.stringify(part) === JSON.stringify(whole) ||
      (Array.isArray(part) && part.every((each, i) => !lost(each, whole?.[i]).length))
      ? []
      : [`${path}: ${JSON.stringify(whole)}`];
  }
  return Object.keys(part).flatMap((name) => lost(part[name], whole?.[name], `${path}.${name}`));
}

/** How sites look. */
export function drive(world) {
  const refused = async (call, status, path) => {
    const error = await call.then(() => assert.fail("was not refused"), (each) => each);
    assert.equal(error.code ?? error.response?.status, status, error.message);
    if (path) assert.match(error.errorMessage ?? error.message, new RegExp(path.replaceAll(".", "\\.")));
  };

  test("set and read how a site looks", async () => {
    const { api, organization } = world;
    const spaces = [];
    for (const title of ["One", "Two"]) spaces.push((await api.orgs.createSpace(organization, { title })).data.id);
    const { data: site } = await api.orgs.createSite(organization, { title: "Look", visibility: "public", spaces });
    world.look = { site: site.id };
    const { data: siteSpaces } = await api.orgs.listSiteSpaces(organization, site.id);
    world.look.second = siteSpaces.items[1].id;

    const { data: before } = await api.orgs.getSiteCustomizationById(organization, site.id, { unmasked: true });
    assert.equal(before.styling.theme, "clean");
    const { data: same } = await api.orgs.updateSiteCustomizationById(organization, site.id, before);
    assert.deepEqual({ ...same, updatedAt: undefined }, { ...before, updatedAt: undefined });

    const { data: set } = await api.orgs.updateSiteCustomizationById(organization, site.id, everything);
    assert.deepEqual(lost(everything, set), []);
    const { data: got } = await api.orgs.getSiteCustomizationById(organization, site.id);
    assert.deepEqual(got, set);
    assert.deepEqual(got.pageActions.items, ["external-ai", "markdown", "git", "pdf"]);

    const wrong = structuredClone(everything);
    wrong.styling.primaryColor.light = "purple";
    await refused(
      api.orgs.updateSiteCustomizationById(organization, site.id, wrong),
      400,
      "styling.primaryColor.light",
    );
    wrong.styling = { ...everything.styling, theme: "neon" };
    await refused(api.orgs.updateSiteCustomizationById(organization, site.id, wrong), 400, "styling.theme");
  });

  test("a space on a site looks different", async () => {
    const { api, organization, look: { site, second } } = world;
    const { data: own } = await api.orgs.overrideSiteSpaceCustomizationById(organization, site, second, {
      title: "Second",
      styling: { theme: "bold", sidebar: { list: "pill" } },
      internationalization: { locale: "de" },
      trademark: { enabled: true },
    });
    assert.equal(own.hasOverrides, true);
    assert.deepEqual(
      [own.title, own.styling.theme, own.styling.sidebar, own.styling.corners],
      ["Second", "bold", { background: "filled", list: "pill" }, "circular"],
    );
    const { data: then } = await api.orgs.overrideSiteSpaceCustomizationById(organization, site, second, {
      title: null,
      styling: { theme: null },
    });
    assert.deepEqual([then.title, then.styling.theme, then.styling.sidebar.list], ["Handbook", "gradient", "pill"]);
    const { data: got } = await api.orgs.getSiteSpaceCustomizationById(organization, site, second);
    assert.deepEqual(got, then);

    await api.orgs.publishSite(organization, site);
    const { data: profile } = await api.orgs.getPublishedContentSite(organization, site);
    assert.equal(profile.customizations.site.internationalization.locale, "fr");
    assert.equal(profile.customizations.siteSpaces[second].internationalization.locale, "de");
    assert.deepEqual(profile.scripts, []);

    await refused(
      api.orgs.overrideSiteSpaceCustomizationById(organization, site, second, { styling: { corners: "wobbly" } }),
      400,
      "styling.corners",
    );
    assert.equal((await api.orgs.deleteSiteSpaceCustomizationById(organization, site, second)).status, 205);
    assert.equal((await api.orgs.deleteSiteSpaceCustomizationById(organization, site, second)).status, 204);
    const { data: last } = await api.orgs.getSiteSpaceCustomizationById(organization, site, second);
    assert.deepEqual([last.hasOverrides, last.internationalization.locale], [false, "fr"]);
  });

  test("the scripts of a site", async () => {
    const { api, organization, look } = world;
    const { data: scripts } = await api.orgs.listSiteIntegrationScripts(organization, look.site);
    assert.deepEqual(scripts, []);
  });
}
