// What a space holds beside its pages, in a real browser: files, history, reusable contents, variables and links.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, startApp } from "./app.mjs";

const dot = (colour) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`,
  );
const pixels = async (page, name) =>
  page
    .getByRole("listitem")
    .filter({ hasText: name })
    .locator("img")
    .evaluate(async (image) => {
      await image.decode();
      const canvas = new OffscreenCanvas(1, 1);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    });

describe("the files of a space", () => {
  let app, server, space, ada;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    space = await server.space("Handbook", { Start: "Hello.\n" });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_files",
          files: [
            { name: "sign.svg", ref: "sign", base64: dot("red").toString("base64") },
            { name: "notes.txt", base64: Buffer.from("Notes.").toString("base64") },
          ],
        },
        { operation: "insert_page", title: "Signs", document: { markdown: "![](/files/sign)\n" } },
      ],
    });
    ada = await app.open(`/app/spaces/${space}/files`);
  });
  after(() => app?.stop());
  const inDraft = () =>
    server
      .api("GET", `/v1/spaces/${space}/change-requests/1/content/files`)
      .then(({ items }) => items.map(({ name }) => name).sort());
  const row = (name) => ada.page.getByRole("listitem").filter({ hasText: name });
  const act = async (name, what) => {
    await ada.page.getByRole("button", { name: `${name}: what to do` }).click();
    await ada.page.getByRole("menuitem", { name: what }).click();
  };

  test("are shown, found and sorted; the address keeps how", async () => {
    const { page } = ada;
    await row("sign.svg").waitFor();
    await look(page, "files-grid");
    await page.getByRole("searchbox", { name: "Filter files" }).fill("note");
    await row("sign.svg").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show as a list" }).click();
    await page.reload();
    await row("notes.txt").waitFor();
    assert.equal(await row("sign.svg").count(), 0);
    await page.getByRole("searchbox", { name: "Filter files" }).fill("");
    await row("sign.svg").waitFor();
    await look(page, "files-list");
    await page.getByRole("button", { name: "Show as a grid" }).click();
  });

  test("are renamed, replaced and uploaded in a draft, and deleted with what shows them named", async () => {
    const { page } = ada;
    await act("sign.svg", "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("board.svg");
    await page.keyboard.press("Enter");
    await page.waitForURL(/changes\/1\/files/);
    await row("board.svg").waitFor();
    assert.deepEqual(
      (await server.api("GET", `/v1/spaces/${space}/content/files`)).items.map(({ name }) => name).sort(),
      ["notes.txt", "sign.svg"],
      "main has changed",
    );
    const chooser = page.waitForEvent("filechooser");
    await act("board.svg", "Replace…");
    await (await chooser).setFiles({ name: "other.svg", mimeType: "image/svg+xml", buffer: dot("lime") });
    await page.waitForFunction(() => !document.querySelector("progress"));
    assert.deepEqual(await pixels(page, "board.svg"), [0, 255, 0]);
    // The network is away for one of two files that are dropped.
    await page.route("**/content/files", (route) =>
      route.request().postData()?.includes("bad.txt") ? route.abort() : route.continue(),
    );
    await page
      .locator("main > div")
      .first()
      .evaluate((element) => {
        const data = new DataTransfer();
        for (const name of ["good.txt", "bad.txt"]) data.items.add(new File([name], name, { type: "text/plain" }));
        for (const kind of ["dragover", "drop"])
          element.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      });
    const failed = page.getByRole("list", { name: "Uploads" }).getByRole("listitem").filter({ hasText: "bad.txt" });
    await failed.getByText("The file did not arrive.").waitFor();
    await row("good.txt").waitFor();
    await look(page, "files-upload-failed");
    await page.unroute("**/content/files");
    await failed.getByRole("button", { name: "Try again" }).click();
    await failed.waitFor({ state: "detached" });
    await row("bad.txt").waitFor();
    await act("board.svg", "Delete file");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Signs").waitFor();
    await look(page, "files-delete");
    await dialog.getByRole("button", { name: "Delete file" }).click();
    await row("board.svg").waitFor({ state: "detached" });
    assert.deepEqual(await inDraft(), ["bad.txt", "good.txt", "notes.txt"]);
    assert.deepEqual(ada.problems.filter((problem) => !/ERR_FAILED/.test(problem)), []);
  });

  for (const [name, options] of [
    ["phone", { ...phone, locale: "de-DE" }],
    ["dark", { ...desktop, colorScheme: "dark" }],
  ]) {
    test(`the screen is right, ${name}, for who may only read`, async () => {
      const { page, context, problems } = await app.open(`/app/spaces/${space}/files`, {
        email: "grace@example.org",
        ...options,
      });
      await page.getByRole("listitem").filter({ hasText: "sign.svg" }).waitFor();
      await look(page, `files-${name}`);
      assert.equal(await page.getByRole("button", { name: /^(Upload|Hochladen)$/ }).count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});

describe("the history of a space", () => {
  let app, server, space, start, ada;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "edit");
    space = await server.space("Handbook", { Start: "First words.\n" });
    [{ id: start }] = (await server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const change = (markdown, message) =>
      server.api("POST", `/v1/spaces/${space}/content`, {
        message,
        changes: [{ operation: "update_page", page: start, document: { markdown } }],
      });
    await change("Second words.\n", "Say it better");
    await change("Third words.\n", "Say it worse");
    ada = await app.open(`/app/spaces/${space}`);
  });
  after(() => app?.stop());
  const current = async () =>
    (await server.api("GET", `/v1/spaces/${space}/content/page/${start}?format=markdown`)).markdown;

  test("lists revisions, shows what each changed, and compares two", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("Say it worse").waitFor();
    await look(page, "history");
    await page.getByRole("link", { name: "Say it better" }).click();
    await page.locator("del", { hasText: "First" }).waitFor();
    await page.locator("ins", { hasText: "Second" }).waitFor();
    await look(page, "history-revision");
    await page.goBack();
    const boxes = page.getByRole("checkbox");
    await boxes.first().check();
    await boxes.last().check();
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page.getByText("These are the changes between two revisions.").waitFor();
    await page.getByText("Third words.").waitFor();
    assert.deepEqual(ada.problems, []);
  });

  test("puts a page as it was into the draft, and takes the space back", async () => {
    const { page } = ada;
    await page.goto(`${server.base}/app/spaces/${space}/history`);
    await page.getByRole("link", { name: "Say it better" }).click();
    await page.getByRole("button", { name: "Put this page into my draft" }).click();
    await page.waitForURL(/changes\/1\/pages/);
    await page.getByRole("textbox", { name: "Text of the page" }).getByText("Second words.").waitFor();
    assert.match(await current(), /Third words/);
    await page.goto(`${server.base}/app/spaces/${space}/history`);
    await page.getByRole("button", { name: "Go back to this: Say it better" }).click();
    await look(page, "history-back");
    await page.getByRole("dialog").getByRole("button", { name: "Go back to this" }).click();
    await page.getByRole("link", { name: "Went back to “Say it better”" }).waitFor();
    assert.match(await current(), /Second words/);
    assert.deepEqual(ada.problems, []);
  });

  test("who may not merge is not offered to go back; on a phone, in the dark", async () => {
    const { page, context, problems } = await app.open(`/app/spaces/${space}/history`, {
      email: "grace@example.org",
      ...phone,
      colorScheme: "dark",
    });
    await page.getByText("Say it worse").waitFor();
    assert.equal(await page.getByRole("button", { name: /Go back/ }).count(), 0);
    await look(page, "history-phone");
    assert.deepEqual(problems, []);
    await context.close();
  });
});

describe("reusable contents, variables and links of a space", () => {
  let app, server, space, ada;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    space = await server.space("Handbook", { Start: "Hello.\n" });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_reusable_content",
          ref: "greeting",
          title: "Greeting",
          document: { markdown: "Good day." },
        },
        {
          operation: "insert_page",
          title: "Letters",
          document: { markdown: '{% include "/reusable-content/greeting" %}\n\n[Nowhere](gone.md)\n' },
        },
        { operation: "update_variables", variables: { edition: "first" } },
      ],
    });
    ada = await app.open(`/app/spaces/${space}`);
  });
  after(() => app?.stop());
  const more = async (name) => {
    await ada.page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "More" }).click();
    await ada.page.getByRole("menuitem", { name }).click();
  };
  const inDraft = () => server.api("GET", `/v1/spaces/${space}/change-requests/1/content`);

  test("reusable contents are made, written, renamed, and deleted with what includes them named", async () => {
    const { page } = ada;
    await more("Reusable contents");
    await page.getByRole("button", { name: "New reusable content" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Farewell");
    await page.keyboard.press("Enter");
    await page.waitForURL(/changes\/1\/reusable-contents\?edit=/);
    const text = page.getByRole("dialog").getByRole("textbox", { name: /Farewell/ });
    await text.click();
    await page.keyboard.type("Good bye.");
    await look(page, "reusable-edit");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const made = (await inDraft()).reusableContents.find((each) => each.title === "Farewell");
    await page.getByRole("button", { name: "Greeting: what to do" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("Letters").waitFor();
    await look(page, "reusable-delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Greeting", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual((await inDraft()).reusableContents.map(({ title }) => title), ["Farewell"]);
    await page.getByRole("button", { name: "Farewell", exact: true }).click();
    await text.getByText("Good bye.").waitFor();
    assert.ok(made);
    assert.deepEqual(ada.problems, []);
  });

  test("variables are made, changed and deleted", async () => {
    const { page } = ada;
    await page.goto(`${server.base}/app/spaces/${space}/changes/1/variables`);
    await page.getByRole("textbox", { name: "edition" }).fill("second");
    await page.getByRole("textbox", { name: "Name" }).fill("pages");
    await page.getByRole("textbox", { name: "Value" }).fill("320");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "pages" }).waitFor();
    await look(page, "variables");
    assert.deepEqual((await inDraft()).variables, { edition: "second", pages: 320 });
    await page.getByRole("button", { name: "Delete edition" }).click();
    await page.getByRole("textbox", { name: "edition" }).waitFor({ state: "detached" });
    assert.deepEqual((await inDraft()).variables, { pages: 320 });
    assert.deepEqual(ada.problems, []);
  });

  test("links that are broken lead to their pages; on a phone, in the dark, for who may only read", async () => {
    const { page } = ada;
    await page.goto(`${server.base}/app/spaces/${space}/links`);
    await page.getByText("gone.md").waitFor();
    await look(page, "links");
    await page.getByRole("link", { name: "All (" }).click();
    await page.waitForURL(/show=all/);
    await page.getByRole("link", { name: "Letters" }).first().click();
    await page.waitForURL(/pages\//);
    const small = await app.open(`/app/spaces/${space}/links`, {
      email: "grace@example.org",
      ...phone,
      colorScheme: "dark",
    });
    await small.page.getByText("gone.md").waitFor();
    await look(small.page, "links-phone");
    for (const [path, shown] of [["reusable-contents", "Greeting"], ["variables", "edition"]]) {
      await small.page.goto(`${server.base}/app/spaces/${space}/${path}`);
      await small.page.getByText(shown).waitFor();
      await look(small.page, `${path}-phone`);
    }
    assert.ok(await small.page.getByRole("textbox", { name: "edition" }).isDisabled());
    assert.deepEqual([ada.problems, small.problems], [[], []]);
    await small.context.close();
  });

  test("pictures without an alternative text are counted, and get one where they stand", async () => {
    const space = await server.space("Birds", { Start: "Hello.\n" });
    const svg = (colour) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="${colour}"/></svg>`,
      ).toString("base64");
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_files",
          files: [
            { ref: "owl", name: "owl.svg", base64: svg("teal") },
            { ref: "kite", name: "kite.svg", base64: svg("crimson") },
          ],
        },
        {
          operation: "insert_page",
          title: "Owls",
          document: {
            markdown:
              "![](/files/owl)\n\nIn a line ![](/files/owl) too.\n\n*  Untouched   list\n\n![A kite](/files/kite)\n",
          },
        },
        { operation: "insert_reusable_content", title: "Note", document: { markdown: "![](/files/owl)\n" } },
      ],
    });
    const { page, context, problems } = await app.open(`/app/spaces/${space}/files`);
    await page.getByText("2 pictures have no alternative text where they stand.").waitFor();
    const sign = (name) => page.getByRole("listitem").filter({ hasText: name }).getByText("No alternative text");
    await sign("owl.svg").waitFor();
    assert.equal(await sign("kite.svg").count(), 0);
    await look(page, "files-undescribed");
    await page.getByRole("button", { name: "Write them" }).click();
    const dialog = page.getByRole("dialog", { name: "Alternative texts" });
    await dialog.getByText("It stands there 2 times; all get this text.").waitFor();
    await look(page, "files-alternative-texts");
    await dialog.getByRole("textbox", { name: "owl.svg on “Owls”" }).fill("An owl on a fence");
    await page.keyboard.press("Enter");
    await dialog.getByText("1 picture left").waitFor();
    await dialog.getByRole("textbox", { name: "owl.svg on “Note”" }).fill("An owl, asleep");
    await page.keyboard.press("Enter");
    await dialog.getByText("All of these say what they show.").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.waitForURL(/changes\/1\/files/);
    await page.getByRole("listitem").filter({ hasText: "owl.svg" }).waitFor();
    await page.getByText("have no alternative text").waitFor({ state: "detached" });
    const request = `/v1/spaces/${space}/change-requests/1/content`;
    const { pages, reusableContents } = await server.api("GET", request);
    const { markdown } = await server.api(
      "GET",
      `${request}/page/${pages.find(({ title }) => title === "Owls").id}?format=markdown&format.markdown.refs=stable`,
    );
    assert.equal(markdown.match(/<img src="\/files\/file_\w+" alt="An owl on a fence">/g)?.length, 2, markdown);
    assert.match(markdown, /\n\*  Untouched   list\n\n!\[A kite\]\(/);
    assert.deepEqual((await server.api("GET", `${request}/pictures/undescribed`)).items, []);
    assert.equal(reusableContents.length, 1);
    // One that is there is changed, for each place and text by itself.
    await page.getByRole("button", { name: "kite.svg: what to do" }).click();
    await page.getByRole("menuitem", { name: "Alternative texts" }).click();
    const texts = page.getByRole("dialog", { name: "Alternative texts of kite.svg" });
    const field = texts.getByRole("textbox", { name: "On “Owls”" });
    await field.waitFor();
    assert.equal(await field.inputValue(), "A kite");
    await look(page, "files-texts");
    const saved = page.waitForResponse(
      (answer) => answer.request().method() === "POST" && answer.url().includes("/content"),
    );
    await field.fill("A red kite over a field");
    await page.keyboard.press("Enter");
    assert.ok((await saved).ok());
    await texts.getByRole("button", { name: "Done" }).click();
    const changed = (
      await server.api(
        "GET",
        `${request}/page/${pages.find(({ title }) => title === "Owls").id}?format=markdown&format.markdown.refs=stable`,
      )
    ).markdown;
    assert.match(changed, /alt="A red kite over a field"/);
    assert.match(changed, /\n\*  Untouched   list\n/);
    assert.deepEqual(problems, []);
    await context.close();

    await app.addPerson("linus@example.org", "Linus Reader", "read");
    const small = await app.open(`/app/spaces/${space}/files?view=list`, {
      ...phone,
      colorScheme: "dark",
      email: "linus@example.org",
    });
    await small.page.getByText("2 pictures have no alternative text").waitFor();
    assert.equal(await small.page.getByRole("button", { name: "Write them" }).count(), 0);
    await look(small.page, "files-undescribed-phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();
  });
});
