// The options of a page, in a real browser: each is saved by itself beside the text, and what is refused says why.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, startApp } from "./app.mjs";

const dot = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="900"><rect width="600" height="900" fill="teal"/></svg>',
);

describe("the options of a page", () => {
  let app, server;
  before(async () => ({ server } = app = await startApp()));
  after(() => app?.stop());
  const panel = (page) => page.getByRole("complementary", { name: "Options" });

  test("are saved as they are set, beside the text that is typed", async () => {
    const draft = await app.draft("Last.\n", "Ports");
    const kept = () => server.api("GET", `${draft.request}/content/page/${draft.id}?format=markdown`);
    const until = async (holds) => {
      for (let i = 0; i < 100; i++) {
        const now = await kept();
        if (holds(now)) return now;
        await new Promise((done) => setTimeout(done, 100));
      }
      assert.fail(JSON.stringify(await kept()));
    };
    const { page, context, text, problems } = await draft.open();
    await page.getByRole("button", { name: "Options" }).click();
    const side = panel(page);
    await side.getByRole("textbox", { name: "Address" }).fill("harbours");
    await side.getByText("It stands at /ports.").waitFor();
    await until(({ slug }) => slug === "harbours");
    await side.getByText("It stands at /harbours.").waitFor();
    await side.getByRole("textbox", { name: "Title in the tree" }).fill("Doors");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: "Doors" }).waitFor();
    await side.getByRole("textbox", { name: "Description" }).fill("Where ships are.");
    await side.getByRole("button", { name: "Emoji" }).click();
    await side.getByRole("combobox").fill("anchor");
    await side.getByRole("option", { name: ":anchor:" }).click();
    await until(({ emoji, description }) => emoji === "2693" && description === "Where ships are.");
    await side.getByRole("button", { name: "Icon" }).click();
    await side.getByRole("combobox").fill("rocket");
    await side.getByRole("option", { name: "rocket" }).first().click();
    await until(({ icon, emoji }) => icon === "rocket" && !emoji);
    await side.getByRole("textbox", { name: "Add a tag" }).fill("sea");
    await page.keyboard.press("Enter");
    await side.getByRole("button", { name: "Take sea away" }).or(side.getByText("sea")).first().waitFor();
    await side.getByRole("switch", { name: "Hide in the table of contents" }).click();
    await side.getByRole("switch", { name: "Outline" }).click();
    await until(({ hidden, tags, layout }) => hidden && tags?.[0].tag.tag === "sea" && layout.outline === false);
    // What cannot be read says why, and stays.
    const condition = side.getByRole("textbox", { name: "Condition" });
    await condition.fill("visitor.claims.");
    await side.getByRole("alert").first().waitFor();
    await look(page, "options-refused");
    await condition.fill("visitor.claims.unsigned.plan == \"team\"");
    await until((now) => now.condition === 'visitor.claims.unsigned.plan == "team"');
    await side.getByRole("alert").waitFor({ state: "detached" });
    await side.getByRole("textbox", { name: "Name" }).fill("1st");
    await side.getByRole("textbox", { name: "Value" }).fill("7");
    await side.getByRole("button", { name: "Add", exact: true }).click();
    await side.getByText("Letters, digits and _").waitFor();
    await side.getByRole("textbox", { name: "Name" }).fill("first");
    await page.keyboard.press("Enter");
    await until(({ variables }) => variables?.first === 7);
    await side.getByRole("button", { name: "Add a cover" }).click();
    await side.locator('input[type="file"]').setInputFiles({ name: "sea.svg", mimeType: "image/svg+xml", buffer: dot });
    await side.locator("img").waitFor();
    await side.getByRole("combobox", { name: "Height" }).selectOption({ label: "High" });
    await until(({ cover }) => cover?.height === 416);
    // What is seen of it is chosen with the keyboard, or the picture is pulled.
    await side.getByRole("slider", { name: "What is seen" }).focus();
    await page.keyboard.press("Home");
    await until(({ cover }) => cover?.yPos === 150 && cover.height === 416);
    await side.locator("img").scrollIntoViewIfNeeded();
    const picture = await side.locator("img").boundingBox();
    await page.mouse.move(picture.x + 40, picture.y + 60);
    await page.mouse.down();
    await page.mouse.move(picture.x + 40, picture.y - 900, { steps: 4 });
    await page.mouse.up();
    await until(({ cover }) => cover?.yPos === -150);
    // It stands above the text as on the site, cut where it was pulled to, and leads to its options.
    const above = page.getByRole("button", { name: "Change the cover" });
    await above.locator("img").waitFor();
    await page.waitForFunction(
      (image) => getComputedStyle(image).objectPosition === "50% 100%",
      await above.locator("img").elementHandle(),
    );
    await page.getByRole("button", { name: "Change the icon" }).waitFor();
    await look(page, "options");
    // The text goes on, and nothing of the options is lost with it.
    await text.getByText("Last.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" And on.");
    await says(page, "Saved");
    const now = await kept();
    assert.match(now.markdown, /Last\. And on\.\n$/);
    assert.deepEqual(
      [now.slug, now.linkTitle, now.icon, now.hidden, now.variables],
      ["harbours", "Doors", "rocket", true, { first: 7 }],
    );
    assert.deepEqual(
      problems.filter((problem) => !/status of 400/.test(problem)),
      [],
    );
    await context.close();
  });

  test("are all kept when they are set faster than the server answers", async () => {
    const draft = await app.draft("Last.\n", "Ports");
    const cover = { ref: { kind: "url", url: `${server.url}/nowhere.png` }, yPos: 0 };
    const changes = [{ operation: "update_page", page: draft.id, cover }];
    await server.api("POST", `${draft.request}/content`, { changes });
    const { page, context } = await draft.open();
    await page.getByRole("button", { name: "Options" }).click();
    const side = panel(page);
    const height = side.getByRole("combobox", { name: "Height" });
    await height.waitFor();
    await page.route("**/content?compat=false", async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    await height.selectOption({ label: "High" });
    await side.getByRole("slider", { name: "What is seen" }).focus();
    await page.keyboard.press("Home");
    for (const tag of ["sea", "wind"]) {
      await side.getByRole("textbox", { name: "Add a tag" }).fill(tag);
      await page.keyboard.press("Enter");
      await side.getByRole("button", { name: `Take ${tag} away` }).or(side.getByText(tag)).first().waitFor();
    }
    for (const name of ["Outline", "Title"]) {
      await side.getByRole("switch", { name, exact: true }).click();
      await side.getByRole("switch", { name, exact: true, checked: false }).waitFor({ timeout: 600 });
    }
    const set = async () => {
      const now = await server.api("GET", `${draft.request}/content/page/${draft.id}?computed=false`);
      const { cover, tags, layout } = now;
      return [cover.height, cover.yPos, tags?.map(({ tag }) => tag.tag), layout.outline, layout.title];
    };
    for (let i = 0; i < 100 && (await set())[4]; i++) await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(await set(), [416, 150, ["sea", "wind"], false, false]);
    await context.close();
  });

  test("are read on main, and changed in a draft; on a phone, in the dark", async () => {
    const space = await server.space("Guide", { Start: "Hello.\n" });
    const {
      pages: [{ id }],
    } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${id}?panel=options`, {
      ...phone,
      colorScheme: "dark",
    });
    const sheet = page.getByRole("dialog", { name: "Options" });
    await sheet.getByText("What readers see now.").waitFor();
    assert.ok(await sheet.getByRole("textbox", { name: "Address" }).isDisabled());
    await look(page, "options-phone");
    await sheet.getByRole("button", { name: "Change them in my draft" }).click();
    await page.waitForURL(/changes\/1\/pages/);
    await sheet.getByRole("textbox", { name: "Address" }).fill("begin");
    await page.keyboard.press("Enter");
    await sheet.getByText("It stands at /begin.").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("other addresses lead to a page, and it has an owner whom readers see", async () => {
    await app.addPerson("grace@example.org", "Grace Hopper", "edit");
    const space = await server.space("Harbour", { Start: "Hello.\n", Ports: "Ships.\n" });
    const { pages: [, { id }] } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
    const request = `/v1/spaces/${space}/change-requests/1`;
    const { page, context, problems } = await app.open(`/app/spaces/${space}/changes/1/pages/${id}?panel=options`);
    const side = panel(page);
    await side.getByText("No other address leads here.").waitFor();
    const field = side.getByRole("textbox", { name: "Another path that leads here" });
    const add = () => side.getByRole("button", { name: "Add path" }).click();
    const paths = async () =>
      (await server.api("GET", `${request}/content/page/${id}/redirects`)).items.map(({ path }) => path);
    await field.fill("https://docs.example.org/alte/h%C3%A4fen?from=mail#top");
    await add();
    const list = side.getByRole("list", { name: "Other addresses" });
    await list.getByText("/alte/häfen").waitFor();
    assert.equal(await field.inputValue(), "");
    // What is refused says so at the field, and stays.
    for (const [typed, says] of [
      ["start", "is the address of the page “Start”"],
      ["a//b", "between slashes"],
      [" / ", "Write an address"],
    ]) {
      await field.fill(typed);
      await page.keyboard.press("Enter");
      await side.getByRole("alert").filter({ hasText: says.replaceAll(/[“”]/g, '"') }).waitFor();
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.equal(await field.inputValue(), typed);
    }
    await look(page, "options-redirects-refused", { within: "aside" });
    await field.fill("quays");
    await page.keyboard.press("Enter");
    await list.getByText("/quays").waitFor();
    // What the page had itself is listed, too.
    await side.getByRole("textbox", { name: "Address", exact: true }).fill("harbours");
    await page.keyboard.press("Enter");
    await list.getByText("/ports").waitFor();
    await list.getByText("The page left it").waitFor();
    await list.getByRole("button", { name: "Take /quays away" }).click();
    await list.getByText("/quays").waitFor({ state: "detached" });
    assert.deepEqual(await paths(), ["alte/häfen", "ports"]);

    await side.getByText("Nobody yet").waitFor();
    await side.getByRole("button", { name: "Choose", exact: true }).click();
    await side.getByRole("combobox").fill("grace");
    await side.getByRole("option", { name: /Grace Hopper/ }).click();
    await side.getByRole("group", { name: "Owner" }).getByText("Grace Hopper").waitFor();
    await list.getByText("/alte/häfen").scrollIntoViewIfNeeded();
    await look(page, "options-redirects");
    // Reviewers see both, by name.
    await page.goto(`${server.base}/app/spaces/${space}/changes/1/diff`);
    await page.getByText("Other addresses:").first().waitFor();
    await page.getByText("/alte/häfen").waitFor();
    await page.getByText("Grace Hopper").first().waitFor();
    await look(page, "options-redirects-diff");
    await server.api("POST", `${request}/merge`, {});
    await page.goto(`${server.base}/app/spaces/${space}/pages/${id}`);
    await page.getByRole("article").getByText("Grace Hopper").waitFor();
    await look(page, "reading-owner");
    assert.deepEqual(problems.filter((problem) => !/status of 400/.test(problem)), []);
    await context.close();

    const small = await app.open(`/app/spaces/${space}/pages/${id}?panel=options`, {
      ...phone,
      colorScheme: "dark",
      email: "grace@example.org",
    });
    const sheet = small.page.getByRole("dialog", { name: "Options" });
    await sheet.getByText("/alte/häfen").waitFor();
    await sheet.getByText("/alte/häfen").scrollIntoViewIfNeeded();
    assert.ok(await sheet.getByRole("button", { name: "Take /alte/häfen away" }).isDisabled());
    await look(small.page, "options-redirects-phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();
  });

  test("what links to a page stands beside it, from other spaces, too", async () => {
    const space = await server.space("Sea", { Start: "Hello.\n", Ports: "Ships.\n" });
    const { pages: [start, ports] } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "update_page",
          page: start.id,
          document: { markdown: `See [them](/pages/${ports.id}) and [them](/pages/${ports.id}).\n` },
        },
        {
          operation: "insert_reusable_content",
          title: "Tides",
          document: { markdown: `See [them](/pages/${ports.id}).\n` },
        },
      ],
    });
    await server.space("Land", { Roads: `To [the ports](/spaces/${space}/pages/${ports.id}).\n` });
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${ports.id}?panel=outline`);
    const list = page.getByRole("complementary", { name: "Outline" }).getByRole("list", { name: "Links to this page" });
    await list.getByRole("link", { name: "Start" }).waitFor();
    const texts = await list.getByRole("listitem").allTextContents();
    assert.deepEqual(
      [...texts.slice(0, 2).sort(), ...texts.slice(2)],
      ["Start", "Tides (reusable content)", "Roads · Land"],
    );
    await look(page, "backlinks");
    await list.getByRole("link", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Start", level: 1 }).waitFor();
    await page.getByText("No page links here.").waitFor();
    assert.deepEqual(problems, []);
    await context.close();

    const small = await app.open(`/app/spaces/${space}/pages/${ports.id}?panel=outline`, {
      ...phone,
      colorScheme: "dark",
    });
    await small.page.getByRole("dialog", { name: "Outline" }).getByRole("link", { name: "Roads" }).waitFor();
    await look(small.page, "backlinks-phone");
    await small.page.getByRole("link", { name: "Roads" }).tap();
    await small.page.getByRole("heading", { name: "Roads", level: 1 }).waitFor();
    assert.deepEqual(small.problems, []);
    await small.context.close();
  });
});
