// Blocks of integrations in the app's editor and where pages are read: inserted, drawn by their scripts, used, saved.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, shoot, startApp } from "./app.mjs";
import { installKit, startFrame } from "./kit.mjs";

describe("blocks of integrations in the app", () => {
  let app, frame;
  before(async () => {
    app = await startApp();
    frame = await startFrame();
    await installKit(app.server, frame);
    await app.addPerson("ben@example.org", "Ben Okri", "edit");
  });
  after(async () => {
    frame?.stop();
    await app?.stop();
  });

  /** Waits until the page is saved as Markdown that matches. */
  async function reads(draft, wanted) {
    let found;
    for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
      found = await draft.markdown();
      if (wanted.test(found)) return;
    }
    assert.match(found, wanted);
  }
  const kit = (text, index = 0) => text.locator(".kit-block").nth(index);
  const paste = (text, words) =>
    text.evaluate((element, words) => {
      const data = new DataTransfer();
      data.setData("text/plain", words);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, words);

  test("the slash menu inserts one, its script draws it, and a press draws it again", async () => {
    const draft = await app.draft("First.\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByText("First.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const menu = page.getByRole("listbox", { name: "Blocks" });
    for (let i = 0; i < 50; i++) {
      await page.keyboard.type("/pressed");
      if (await menu.getByRole("option", { name: "Counter" }).count()) break;
      for (let k = 0; k < 8; k++) await page.keyboard.press("Backspace");
    }
    await menu.getByText("Counts what is pressed").waitFor();
    await shoot(page, "kit-slash");
    await page.keyboard.press("Enter");
    await text.getByText("Count is 0").waitFor();
    await text.getByText("document writes light").waitFor();
    await text.getByRole("button", { name: "Add one" }).click();
    await text.getByText("Count is 1").waitFor();
    await page.keyboard.press("Enter");
    await text.getByText("Count is 2").waitFor();
    await look(page, "kit-editor", { within: "main" });
    await reads(draft, /\{% @kit\/counter %\}/);
    const { document } = await app.server.api("GET", `${draft.request}/content/page/${draft.id}?format=document`);
    const node = document.nodes.find(({ type }) => type === "integration");
    assert.deepEqual(
      [node.object, node.isVoid, node.data],
      ["block", true, { integration: "kit", block: "counter", props: {} }],
    );
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("its controls change its properties, which can be undone and which others see", async () => {
    const draft = await app.draft("{% @kit/counter start=3 %}\n\nLast.\n");
    const { page, context, text, problems } = await draft.open();
    const ben = await draft.open({ email: "ben@example.org" });
    await ben.text.getByText("Starts at 3").waitFor();
    await text.getByText("Starts at 3").waitFor();
    await kit(text).hover();
    await kit(text).getByRole("button", { name: "What can be done with this block" }).click();
    await shoot(page, "kit-controls");
    await page.getByRole("menuitem", { name: "Start at ten" }).click();
    await text.getByText("Starts at 10").waitFor();
    await ben.text.getByText("Starts at 10").waitFor();
    await reads(draft, /@kit\/counter start=10/);
    await text.getByText("Last.").click();
    await page.keyboard.press("Control+z");
    await text.getByText("Starts at 3").waitFor();
    await ben.text.getByText("Starts at 3").waitFor();
    await page.keyboard.press("Control+Shift+z");
    await text.getByText("Starts at 10").waitFor();
    await says(page, /^Saved/);
    await kit(text).getByRole("button", { name: "What can be done with this block" }).click();
    const opened = context.waitForEvent("page");
    await page.getByRole("menuitem", { name: "Open the site" }).click();
    assert.equal((await opened).url() !== page.url(), true);
    assert.deepEqual([...problems, ...ben.problems], []);
    await ben.context.close();
    await context.close();
  });

  test("a modal gives back what it returns; fields go along; what is dangerous is asked first", async () => {
    const draft = await app.draft("{% @kit/renamed %}\n\n{% @kit/fields %}\n");
    const { page, context, text, problems } = await draft.open();
    const dialog = page.getByRole("dialog", { name: "Rename" });
    await text.getByRole("button", { name: "Ask" }).click();
    await dialog.getByText("Readers see it").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("A name is needed.").waitFor();
    await dialog.getByRole("textbox", { name: "New name" }).fill("Hopper");
    await look(page, "kit-modal", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await text.getByText("The modal said Hopper").waitFor();
    await text.getByRole("button", { name: "Ask" }).click();
    await dialog.getByRole("button", { name: "Give back" }).click();
    await text.getByText("The modal said given back").waitFor();
    await text.getByRole("textbox", { name: "Name" }).fill("Grace");
    await text.getByRole("textbox", { name: "Story" }).fill("Once");
    await text.getByRole("switch", { name: "Loud" }).click();
    await text.getByRole("radio", { name: "Large" }).check();
    await text.getByRole("checkbox", { name: "Coffee" }).check();
    await text.getByRole("combobox", { name: "Colour" }).selectOption("blue");
    await text.getByText(/^colour \{/).waitFor();
    assert.deepEqual(JSON.parse((await text.getByText(/^colour \{/).textContent()).slice(6)), {
      name: "Grace",
      story: "Once",
      colour: "blue",
      loud: true,
      size: "large",
      drinks: ["coffee"],
    });
    await text.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await text.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click();
    await text.getByText(/^remove \{/).waitFor();
    await look(page, "kit-fields", { within: "main" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("an action takes its values from the state, and what it answers with is kept", async () => {
    const draft = await app.draft("{% @kit/bound %}\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByRole("textbox", { name: "Word" }).fill("gears");
    await text.getByRole("button", { name: "Keep" }).click();
    await text.getByText('Kept {"word":"gears"}').waitFor();
    await reads(draft, /\{% @kit\/bound word="gears" %\}/);
    await text.getByRole("combobox", { name: "Colour" }).selectOption("blue");
    await text.getByText('"colour":"blue"').waitFor();
    await text.getByRole("textbox", { name: "draw" }).fill("a to b");
    await text.getByRole("textbox", { name: "Word" }).click();
    await text.getByText('"source":"a to b"').waitFor();
    await text.getByRole("button", { name: "Ask" }).click();
    const dialog = page.getByRole("dialog", { name: "Change" });
    await dialog.getByRole("textbox", { name: "Name of it" }).fill("Babbage");
    await dialog.getByRole("button", { name: "Put" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await text.getByText('"name":"Babbage"').waitFor();
    await reads(draft, /\{% @kit\/bound colour="blue" name="Babbage" source="a to b" word="gears" %\}/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the keyboard goes in and out", async () => {
    const draft = await app.draft("Before.\n\n{% @kit/counter start=1 %}\n\nAfter.\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByText("Count is 1").waitFor();
    await text.getByText("Before.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowDown");
    await text.locator(".kit-block.ProseMirror-selectednode").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.closest(".kit-place"));
    await page.keyboard.press("Escape");
    await text.locator(".kit-block.ProseMirror-selectednode").waitFor();
    await page.keyboard.press("Delete");
    await reads(draft, /^Before\.\n\nAfter\.\n$/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a web frame is told its state and draws its block again", async () => {
    const draft = await app.draft("{% @kit/frame %}\n");
    const { page, context, text, problems } = await draft.open();
    const inner = text.frameLocator("iframe");
    await inner.getByText('"said":"hello"').waitFor();
    assert.equal(await text.locator("iframe").evaluate((each) => each.style.height), "222px");
    assert.doesNotMatch(await text.locator("iframe").getAttribute("sandbox"), /allow-same-origin|allow-top/);
    await text.getByRole("textbox", { name: "Say to the frame" }).fill("good bye");
    await inner.getByText('"said":"good bye"').waitFor();
    await inner.getByRole("button", { name: "Count" }).click();
    await text.getByText("The frame pressed 1").waitFor();
    await inner.getByText('"said":"good bye"').waitFor();
    await look(page, "kit-frame", { within: "main" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what goes wrong is said with a way to try again, and what shows nothing is out of the way", async () => {
    const draft = await app.draft(
      "{% @kit/faulty %}\n\n{% @kit/nowhere %}\n\n{% @kit/finished %}\n\n{% @stranger/thing a=1 %}\n\nLast.\n",
    );
    const { page, context, text, problems } = await draft.open({ expected: /status of 40[04]/ });
    await text.getByText("stranger / thing").waitFor();
    await text.getByRole("textbox", { name: "Kept" }).fill("stays");
    await text.getByRole("button", { name: "Break" }).click();
    await text
      .getByRole("alert")
      .getByText(
        "The integration answered 502: The tracker is away. What its script wrote is in the events of the integration.",
      )
      .waitFor();
    assert.equal(await text.getByRole("textbox", { name: "Kept" }).inputValue(), "stays");
    await text.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await text.getByRole("alert").getByText("The tracker is away").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".kit-block.is-nothing").length === 2);
    for (const i of [1, 2]) assert.equal((await kit(text, i).boundingBox()).height, 0);
    await look(page, "kit-faulty", { within: "main" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a pasted address becomes its block, and code in a language shows as its block", async () => {
    const draft = await app.draft("First.\n\n```draw\na to b\n```\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByText("Drawn: a to b").waitFor();
    await shoot(page, "kit-fence");
    await text.getByText("First.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await paste(text, "https://count.example.org/a/b");
    const menu = page.getByRole("listbox", { name: "Show the address as" });
    await menu.getByRole("option", { name: "Counter" }).waitFor();
    await shoot(page, "kit-unfurl");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await text.getByText("Count is 40").waitFor();
    await reads(draft, /\{% @kit\/counter start=40 url="https:\/\/count\.example\.org\/a\/b" %\}/);
    await reads(draft, /```draw\na to b\n```/);
    await paste(text, "https://elsewhere.example.org/");
    assert.equal(await menu.getByRole("option", { name: "Counter" }).count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a hostile block does no harm", async () => {
    const draft = await app.draft(
      ["all", "many", "deep", "large", "none"]
        .map((kind) => `## ${kind}\n\n{% @kit/hostile kind="${kind}" %}\n`)
        .join("\n"),
    );
    const { page, context, text, problems } = await draft.open({ expected: /status of 400/ });
    await text.getByText("A made link").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".kit-place [role=alert]").length === 4);
    const found = await text.evaluate((element) => ({
      addresses: [...element.querySelectorAll(".kit-place [href], .kit-place [src]")]
        .map((each) => each.getAttribute("href") ?? each.getAttribute("src"))
        .filter((each) => !/^https?:|^data:image/.test(each)),
      handlers: [...element.querySelectorAll(".kit-place *")].flatMap((each) =>
        [...each.attributes].map(({ name }) => name).filter((name) => name.startsWith("on")),
      ),
      scripts: element.querySelectorAll("script").length,
    }));
    assert.deepEqual(found, { addresses: [], handlers: [], scripts: 0 });
    await text.getByRole("button", { name: "Answer" }).click();
    await page.waitForFunction(() => !document.querySelector(".kit-place [aria-busy]"));
    assert.equal(await page.evaluate(() => `${window.hacked} ${{}.polluted}`), "undefined undefined");
    await text.getByText("all", { exact: true }).click();
    await page.keyboard.type("Still ");
    await says(page, /^Saved/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("read, on a phone, in the dark, in German", async () => {
    const space = await app.server.space("Read", {
      Page: "{% @kit/counter start=3 %}\n\n```draw\nx\n```\n\n{% @kit/finished %}\n",
    });
    const {
      pages: [{ id }],
    } = await app.server.api("GET", `/v1/spaces/${space}/content/pages`);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${id}`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
    });
    await page.getByText("document reads dark").waitFor();
    await page.getByText("Drawn: x").waitFor();
    await page.getByRole("button", { name: "Add one" }).tap();
    await page.getByText("Count is 4").waitFor();
    await look(page, "kit-read-phone");
    assert.deepEqual(problems, []);
    await context.close();
    const draft = await app.draft("{% @kit/counter start=3 %}\n\n{% @kit/fields %}\n");
    const written = await app.open(draft.path, { ...phone, colorScheme: "dark", locale: "de" });
    await written.page.getByText("document writes dark").waitFor();
    await written.page.getByText("Nothing sent").waitFor();
    await look(written.page, "kit-editor-phone", { within: "main" });
    assert.deepEqual(written.problems, []);
    await written.context.close();
  });
});
