// Blocks of integrations on published pages: shown by the server, brought to life by kit.js.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { installKit, startFrame } from "./kit.mjs";

const shots = process.env.RECTO_SCREENSHOTS;
const pages = {
  Counter: "Before.\n\n{% @kit/counter start=3 %}\n\nAfter.\n",
  Fields: "{% @kit/fields %}\n",
  Renamed: "{% @kit/renamed %}\n",
  Bound: "{% @kit/bound %}\n",
  Frame: "{% @kit/frame %}\n",
  Faulty: "{% @kit/faulty %}\n\n{% @kit/faulty broken=true %}\n",
  Absent: "Top.\n\n{% @kit/nowhere %}\n\n{% @kit/finished %}\n\n```draw\na to b\n```\n",
  Hostile: ["all", "many", "deep", "large", "none"]
    .map((kind) => `## ${kind}\n\n{% @kit/hostile kind="${kind}" %}\n`)
    .join("\n"),
};

describe("blocks of integrations on published pages", () => {
  let server, browser, frame, home;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    frame = await startFrame();
    await installKit(server, frame);
    const space = await server.space("Guide", pages);
    home = (await server.site("Guide", [space])).url;
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    frame?.stop();
    await server?.stop();
  });

  async function open(path, { expected, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on(
      "console",
      (message) => message.type() === "error" && !expected?.test(message.text()) && problems.push(message.text()),
    );
    await page.goto(new URL(path, home).href);
    return { context, page, problems };
  }
  const shoot = async (page, name) =>
    shots && page.screenshot({ path: join(shots, `blocks-${name}.png`), fullPage: true });
  // The block that the script loads by itself is there once it is not waiting any more.
  const block = (page, index = 0) => page.locator(".kit:not([data-kit-waiting])").nth(index);

  test("a block is shown, and a press draws it again without a reload", async () => {
    const { page, context, problems } = await open("counter");
    await page.getByText("Count is 3").waitFor();
    await page.evaluate(() => { window.stays = true; });
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByText("Count is 4").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Add one", "the focus is kept");
    await page.keyboard.press("Enter");
    await page.getByText("Count is 5").waitFor();
    await page.getByRole("status").filter({ hasText: /\S/ }).first().waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => window.stays), true);
    assert.equal(
      await page.getByText(/Start at ten|Open the site/).count(),
      0,
      "what writers do with a block is not for readers",
    );
    await shoot(page, "counter");
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what is filled in goes along, and a question is asked first", async () => {
    const { page, context, problems } = await open("fields");
    await page.getByRole("textbox", { name: "Name" }).fill("Grace");
    await page.getByRole("textbox", { name: "Story" }).fill("Once");
    await page.getByRole("switch", { name: "Loud" }).check();
    await page.getByRole("radio", { name: "Large" }).check();
    await page.getByRole("checkbox", { name: "Coffee" }).check();
    const told = async (action) =>
      JSON.parse((await page.locator(".kit-hint").filter({ hasText: action }).textContent()).replace(action, ""));
    await page.getByRole("combobox", { name: "Colour" }).selectOption("blue");
    const full = { name: "Grace", story: "Once", colour: "blue", loud: true, size: "large", drinks: ["coffee"] };
    assert.deepEqual(await told("colour"), full);
    await page.getByRole("textbox", { name: "Name" }).fill("Ada");
    await page.getByRole("button", { name: "Send" }).click();
    assert.deepEqual(await told("send"), { ...full, name: "Ada" });
    assert.equal(await page.getByRole("switch", { name: "Loud" }).isChecked(), true);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.locator(".kit-hint").filter({ hasText: "remove" }).count(), 0);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click();
    await page.locator(".kit-hint").filter({ hasText: "remove" }).waitFor();
    await shoot(page, "fields");
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("an action takes its values from the state, and what it answers with is kept for the visit", async () => {
    const { page, context, problems } = await open("bound");
    await page.getByRole("textbox", { name: "Word" }).fill("gears");
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByText('Kept {"word":"gears"}').waitFor();
    await page.getByRole("combobox", { name: "Colour" }).selectOption("blue");
    await page.getByText('"colour":"blue"').waitFor();
    await page.getByRole("textbox", { name: "draw" }).fill("a to b");
    await page.getByRole("textbox", { name: "Word" }).click();
    await page.getByText(/Kept (?=.*"word":"gears")(?=.*"colour":"blue").*"source":"a to b"/).waitFor();
    await page.getByRole("button", { name: "Ask" }).click();
    await page.frameLocator("dialog iframe").getByRole("button", { name: "Count" }).waitFor();
    await page.getByRole("textbox", { name: "Name of it" }).fill("Babbage");
    await page.getByRole("button", { name: "Put" }).click();
    await page.keyboard.press("Escape");
    await page.getByText(/Kept (?=.*"word":"gears").*"name":"Babbage"/).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a modal keeps the focus, gives it back, and tells what it returns", async () => {
    const { page, context, problems } = await open("renamed");
    await page.getByText("The modal said nothing").waitFor();
    const ask = page.getByRole("button", { name: "Ask" });
    await ask.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Rename" });
    await dialog.waitFor();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      assert.ok(
        await page.evaluate(
          () =>
            document.activeElement === document.body ||
            document.querySelector("dialog[open]").contains(document.activeElement),
        ),
        "the focus leaves the modal",
      );
    }
    await shoot(page, "modal");
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Ask");
    await ask.click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("A name is needed.").waitFor();
    await dialog.getByRole("textbox", { name: "New name" }).fill("Hopper");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The modal said Hopper").waitFor();
    assert.equal(await dialog.count(), 0);
    await ask.click();
    await dialog.getByRole("button", { name: "Give back" }).click();
    await page.getByText("The modal said given back").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Ask");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a web frame is told its state, resizes, and has the block drawn again", async () => {
    const { page, context, problems } = await open("frame");
    const inner = page.frameLocator("iframe[data-kit-frame]");
    await inner.getByText('"said":"hello"').waitFor();
    assert.match(await inner.locator("#said").textContent(), /"fixed":"yes"/);
    const { page: about, visitor } = JSON.parse(await inner.locator("#said").textContent());
    assert.deepEqual([about.path, about.title, visitor], ["frame", "Frame", { claims: { unsigned: {} } }]);
    const iframe = page.locator("iframe[data-kit-frame]");
    assert.equal(await iframe.evaluate((each) => each.style.height), "222px");
    assert.match(await iframe.getAttribute("sandbox"), /^allow-scripts/);
    await page.getByRole("textbox", { name: "Say to the frame" }).fill("good bye");
    await inner.getByText('"said":"good bye"').waitFor();
    await inner.getByRole("button", { name: "Count" }).click();
    await page.getByText("The frame pressed 1").waitFor();
    await inner.getByText('"said":"good bye"').waitFor();
    await inner.getByRole("button", { name: "Count" }).click();
    await page.getByText("The frame pressed 2").waitFor();
    // Who is no frame of a block is not heard.
    await page.evaluate(() => postMessage({ action: { action: "count" } }, "*"));
    await page.evaluate(
      () =>
        new Promise((done) => {
          addEventListener("message", done, { once: true });
          postMessage("x", "*");
        }),
    );
    assert.equal(await page.getByText("The frame pressed 2").count(), 1);
    await shoot(page, "frame");
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what goes wrong is said in place, and what is not there is not shown", async () => {
    const { page, context, problems } = await open("faulty");
    await page.getByText("The tracker is away").waitFor();
    await page.getByRole("textbox", { name: "Kept" }).fill("stays");
    await page.getByRole("button", { name: "Break" }).click();
    await page.getByRole("alert").getByText("The tracker is away").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Kept" }).inputValue(), "stays");
    await shoot(page, "faulty");
    assert.deepEqual(await seriousFindings(page), []);
    await page.goto(new URL("absent", home).href);
    await page.getByText("Drawn: a to b").waitFor();
    await page.getByText("Top.").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".kit").length === 1);
    assert.equal(await page.locator(".kit-failure").count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a hostile block does no harm", async () => {
    const { page, context, problems } = await open("hostile", { expected: /status of 404/ });
    await page.getByText("A made link").waitFor();
    await page.waitForFunction(() => document.querySelectorAll("[data-kit-waiting]").length === 0);
    assert.equal(await page.locator(".kit-failure").count(), 4, "what is too large, too deep or no block is refused");
    const found = await page.evaluate(() => ({
      addresses: [...document.querySelectorAll(".kit [href], .kit [src]")]
        .map((each) => each.getAttribute("href") ?? each.getAttribute("src"))
        .filter((each) => /^[\w+.-]+:/.test(each.trim()) && !/^(https?|mailto):|^data:image\//.test(each)),
      handlers: [...document.querySelectorAll(".kit *")].flatMap((each) =>
        [...each.attributes].map(({ name }) => name).filter((name) => name.startsWith("on") || name === "style"),
      ),
      scripts: document.querySelectorAll(".kit script").length,
    }));
    assert.deepEqual(found, { addresses: [], handlers: [], scripts: 0 });
    for (const name of ["Go", "Answer"]) {
      const button = page.getByRole("button", { name, exact: true });
      if (await button.isEnabled()) await button.click();
    }
    await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
    assert.equal(await page.evaluate(() => `${window.hacked} ${{}.polluted}`), "undefined undefined");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone, in the dark", async () => {
    const { page, context, problems } = await open("counter", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark",
    });
    await page.getByText("Count is 3").waitFor();
    for (const [name, words] of [
      ["counter", "Count is 3"],
      ["fields", "Nothing sent"],
      ["faulty", "The tracker is away"],
      ["renamed", "The modal said nothing"],
    ]) {
      await page.goto(new URL(name, home).href);
      await page.getByText(words).first().waitFor();
      if (name === "renamed") {
        await page.getByRole("button", { name: "Ask" }).tap();
        await page.getByRole("dialog", { name: "Rename" }).waitFor();
      }
      await shoot(page, `${name}-phone`);
      assert.deepEqual(await seriousFindings(page), [], name);
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= seen, `${name} is ${wide} wide in ${seen}`);
    }
    assert.deepEqual(problems, []);
    await context.close();
  });
});
