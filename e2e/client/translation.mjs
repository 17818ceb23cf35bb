import { test } from "node:test";
import assert from "node:assert/strict";

/** Translations: the operations of the client, and those that go with them. */
export function drive(world) {
  /** A language of a translation once nothing is under way in it. */
  async function settled(path) {
    for (let tries = 0; tries < 400; tries++) {
      const language = await world.server.api("GET", path);
      assert.notEqual(language.status, "failed", language.error);
      if (language.status === "completed") return language;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.fail(`${path} is still worked on`);
  }

  test("settings with a title alone", async () => {
    const { api, organization } = world;
    const made = await world.server.api("POST", `/v1/orgs/${organization}/translations`, { title: "To fill in" });
    assert.equal(made.object, "translation-settings");
    assert.equal(made.title, "To fill in");
    assert.deepEqual(made.languages, []);
    assert.deepEqual(made.permissions, { view: true, edit: true });
    await api.orgs.deleteTranslation(organization, made.id);
  });

  test("create, follow, translate, export, import, delete", async () => {
    const { api, organization, server } = world;
    const space = (await api.orgs.createSpace(organization, { title: "Guide", language: "en" })).data;
    await server.api("POST", `/v1/spaces/${space.id}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: "Start",
          document: { markdown: "Welcome to it.\n\nRead [more](https://example.com/).\n" },
        },
      ],
    });
    const instructions = { object: "document", data: { schemaVersion: 2 }, nodes: [] };
    const { data: made } = await api.orgs.createTranslation(organization, {
      source: { space: space.id, language: "en" },
      language: "de",
      instructions,
    });
    assert.equal(made.object, "translation-settings");
    assert.deepEqual(made.languages, ["de"]);
    assert.deepEqual(made.source, { space: space.id, language: "en" });
    const language = `/v1/orgs/${organization}/translations/${made.id}/languages/de`;
    const first = await settled(language);
    assert.equal(first.counts.missing, 3);

    const { data: got } = await api.orgs.getTranslation(organization, made.id);
    assert.equal(got.status, "completed");
    assert.equal(got.result.space, first.space);
    const { data: list } = await api.orgs.listTranslations(organization);
    assert.deepEqual(
      list.items.map((each) => each.id),
      [made.id],
    );
    const { data: changed } = await api.orgs.updateTranslation(organization, made.id, {
      instructions,
      title: "The guide",
      languages: ["de", "fr"],
    });
    assert.equal(changed.title, "The guide");
    assert.deepEqual(changed.languages, ["de", "fr"]);

    const { items: segments } = await server.api("GET", `${language}/segments`);
    const link = segments.find((each) => each.source.startsWith("Read"));
    assert.equal(link.source, "Read <1>more</1>.");
    const done = await server.api("PUT", `${language}/segments/${link.id}`, { target: "<1>Mehr</1> lesen." });
    assert.equal(done.state, "translated");
    const { items: pages } = await server.api("GET", `${language}/pages`);
    assert.equal(pages[0].title, "Start");

    const authorization = { Authorization: `Bearer ${server.token}` };
    const file = await (await fetch(`${server.base}${language}/export?format=po`, { headers: authorization })).text();
    assert.match(file, /msgid "Welcome to it\."\nmsgstr ""/);
    const response = await fetch(`${server.base}${language}/import`, {
      method: "POST",
      headers: { ...authorization, "Content-Type": "application/octet-stream" },
      body: file.replace('msgid "Welcome to it."\nmsgstr ""', 'msgid "Welcome to it."\nmsgstr "Willkommen."'),
    });
    const report = await response.json();
    assert.equal(report.applied, 1);
    assert.deepEqual(report.problems, []);
    const { data: request } = await api.spaces.mergeChangeRequest(first.space, report.changeRequest);
    assert.ok(request.revision);
    const { items: fr } = await server.api("GET", `/v1/orgs/${organization}/translations/${made.id}/languages`);
    assert.deepEqual(fr.map((each) => each.language), ["de", "fr"]);
    await api.orgs.deleteTranslation(organization, made.id);
    const { data: variant } = await api.spaces.getSpaceById(first.space);
    assert.equal(variant.language, "de");
  });
}
