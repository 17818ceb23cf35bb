// Docs that come into a space with pages, in a real browser: what a folder is made with, and a space that becomes the
// same as its source once it was seen what that does.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { look, phone, startApp } from "./app.mjs";

describe("docs come into a space that has pages", () => {
  let app, organization, folder;
  const titles = (pages) => pages.flatMap(({ path, pages: below = [] }) => [path, ...titles(below)]).sort();
  const paths = async (space) => titles((await app.server.api("GET", `/v1/spaces/${space}/content/pages`)).pages);
  before(async () => {
    app = await startApp();
    organization = app.server.organization;
    folder = join(await mkdtemp(join(tmpdir(), "recto-e2e-")), "owls");
    const files = {
      "mkdocs.yml": "site_name: Owls\n",
      "docs/start.md": "# Start\n\nHello again.\n",
      "docs/guide/barn.md": "# Barn\n\nA long text about barns.\n\nIt has two paragraphs.\n",
      "docs/food.md": "# Food\n\nMice.\n",
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });
  after(async () => {
    await app?.stop();
    if (folder) await rm(dirname(folder), { recursive: true });
  });

  test("and it becomes the same, once it was seen what that does", async () => {
    const pages = {
      Start: "Hello.\n",
      Barn: "A long text about barns.\n\nIt has two paragraphs.\n",
      Gone: "Nobody has this.\n",
    };
    const space = await app.server.space("Birds", pages);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/settings`);
    await page.getByRole("radio", { name: "Website" }).check();
    await page.getByRole("textbox", { name: "Address" }).waitFor();
    assert.equal(
      await page.getByRole("group", { name: "What becomes of the pages that are there?" }).count(),
      0,
      "a crawl takes no pages away",
    );
    await page.getByRole("radio", { name: "Folder", exact: true }).check();
    assert.ok(await page.getByRole("radio", { name: /^Add to what is there/ }).isChecked());
    await page.getByRole("radio", { name: /^Make it the same/ }).check();
    await look(page, "import-same");
    await page.locator("input[type=file]").setInputFiles(folder);
    await page.getByText("Nothing has happened yet.").waitFor();
    await page.getByText("It was read as MkDocs, because of mkdocs.yml").waitFor();
    const gone = page.getByRole("group").filter({ hasText: "Pages that go" });
    assert.match(await gone.getByRole("listitem").innerText(), /Gone/);
    await page.getByText("Pages that move").click();
    await page.getByText("before: barn").waitFor();
    await look(page, "import-preview");
    assert.deepEqual(await paths(space), ["barn", "gone", "start"], "nothing has happened");

    // Read as something else, it is another tree; nothing has happened then either.
    await page.getByText("Is it something else?").click();
    assert.ok(await page.getByRole("button", { name: "Read it again" }).isDisabled());
    await page.getByRole("combobox", { name: "Made with" }).selectOption({ label: "Plain folders" });
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByText("It was read as Plain folders, as you chose.").waitFor();
    await page.getByRole("button", { name: "Make it the same, and remove 2 pages" }).waitFor();
    await page.getByText("Is it something else?").click();
    await page.getByRole("combobox", { name: "Made with" }).selectOption({ label: "MkDocs" });
    await page.getByRole("button", { name: "Read it again" }).click();
    await page.getByText("It was read as MkDocs, as you chose.").waitFor();
    assert.deepEqual(await paths(space), ["barn", "gone", "start"]);
    await page.getByRole("button", { name: "Make it the same, and remove 1 page" }).click();
    await page.getByRole("status").filter({ hasText: "are there now." }).waitFor();
    assert.deepEqual(await paths(space), ["food", "guide", "guide/barn", "start"]);
    await page.getByText("Pages that go").click();
    await look(page, "import-same-done");

    // A second time, there is nothing to do, and it can be left.
    await page.getByRole("button", { name: "Import more" }).click();
    await page.getByRole("radio", { name: "Folder", exact: true }).check();
    await page.getByRole("combobox", { name: "Made with" }).selectOption({ label: "MkDocs" });
    await page.locator("input[type=file]").setInputFiles(folder);
    await page.getByText("The pages are those of the source already.").waitFor();
    await page.getByRole("button", { name: "Make it the same", exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("radio", { name: /^Add to what is there/ }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a new space is read again as something else, on a phone in the dark, in German", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${organization}/start?with=import`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
    });
    await page.getByRole("radio", { name: "Ordner", exact: true }).check();
    assert.equal(
      await page.getByRole("radio", { name: /^Der Quelle angleichen/ }).count(),
      0,
      "a new space has no pages",
    );
    await page.getByRole("combobox", { name: "Gemacht mit" }).selectOption({ label: "Einfache Ordner" });
    await page.locator("input[type=file]").setInputFiles(folder);
    await page.getByRole("status").filter({ hasText: "sind jetzt da." }).waitFor();
    const space = (await app.server.api("GET", `/v1/orgs/${organization}/spaces`)).items.find(
      ({ title }) => title === "owls",
    ).id;
    assert.ok((await paths(space)).includes("docs/start"));
    await page.getByText("Ist es etwas anderes?").click();
    await page.getByRole("combobox", { name: "Gemacht mit" }).selectOption({ label: "MkDocs" });
    await look(page, "import-detected-phone");
    await page.getByRole("button", { name: "Noch einmal lesen" }).click();
    await page.getByText("Noch ist nichts geschehen.").waitFor();
    await look(page, "import-preview-phone");
    await page.getByRole("button", { name: /^Angleichen/ }).click();
    await page.getByRole("status").filter({ hasText: "sind jetzt da." }).waitFor();
    assert.deepEqual(await paths(space), ["food", "guide", "guide/barn", "start"]);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
