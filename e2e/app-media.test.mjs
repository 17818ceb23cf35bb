// Pictures, files, cards, links and what else stands in a line, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { deflateSync, crc32 } from "node:zlib";
import { look, phone, says, shoot, startApp } from "./app.mjs";

/** Returns a PNG of one colour. */
function png(width, height, colour = [47, 85, 212]) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const line = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(colour))]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", lines),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Drops or pastes files, and texts that came with them, on an element. */
const bring = (target, kind, files, texts = {}) =>
  target.evaluate(
    (element, { kind, files, texts }) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of files)
        data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
      for (const [type, text] of Object.entries(texts)) data.setData(type, text);
      const { right, bottom } = element.getBoundingClientRect();
      const more = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { dataTransfer: data, clientX: right - 4, clientY: bottom - 2, ...more })
          : new ClipboardEvent("paste", { clipboardData: data, ...more }),
      );
    },
    { kind, files: files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") })), texts },
  );

/** Waits until the browser has told the editor where the cursor is, which it does with the next picture. */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const picture = (name, width = 320, height = 200) => ({ name, type: "image/png", bytes: png(width, height) });

describe("pictures, files and links", () => {
  let app, server;
  before(async () => ({ server } = app = await startApp()));
  after(() => app?.stop());

  /** Opens a page with its cursor in a new last line. */
  async function write(markdown, options) {
    const draft = await app.draft(markdown);
    const opened = await draft.open(options);
    const { page, text } = opened;
    const line = async (words = "") => {
      await text.getByText("Last.").click();
      await drawn(page);
      await page.keyboard.press("End");
      await drawn(page);
      await page.keyboard.press("Enter");
      if (words) await page.keyboard.type(words);
    };
    const slash = async (words) => {
      await page.keyboard.type(`/${words}`);
      await page.getByRole("listbox", { name: "Blocks" }).getByRole("option").first().waitFor();
      await page.keyboard.press("Enter");
    };
    return { draft, ...opened, line, slash };
  }

  test("brings pictures in, also over a bad network, and changes how they stand", async () => {
    const { page, context, text, draft, problems, line } = await write(
      "First.\n\n![Far](https://example.org/far.png)\n\nLast.\n",
    );
    // A picture of another host is named, not loaded.
    await text.getByText("https://example.org/far.png").waitFor();
    await text.getByText("Readers see this image of another host").waitFor();

    // The network is away: the picture waits at its true size while one types on.
    const files = "**/content/files";
    await page.route(files, (route) => route.request().method() === "POST" ? route.abort() : route.continue());
    await bring(text.getByText("First."), "drop", [picture("tree.png")]);
    const upload = text.locator(".upload");
    await upload.getByText("The file did not arrive.").waitFor();
    assert.deepEqual(await upload.locator("img").evaluate((image) => [image.width, image.height]), [320, 200]);
    await shoot(page, "media-upload-failed");
    await line("Typed on.");
    await says(page, "Saved");
    assert.doesNotMatch(await draft.markdown(), /tree|blob:/);
    await page.unroute(files);
    await upload.getByRole("button", { name: "Try again" }).click();
    const image = text.locator("figure.image").filter({ has: page.locator('img[width="320"]') });
    await image.waitFor();
    await upload.waitFor({ state: "detached" });

    // Its description is asked in place; what else there is to change is behind one button.
    await image.getByRole("textbox", { name: "Description" }).fill("An oak");
    await image.getByRole("button", { name: "Options" }).click();
    const form = page.getByRole("dialog", { name: "Image" });
    await form.getByRole("textbox", { name: "Width" }).fill("wide");
    await form.getByText("Write pixels or percent").waitFor();
    await form.getByRole("textbox", { name: "Width" }).fill("240");
    await form.getByRole("button", { name: "Left" }).click();
    await form.getByRole("checkbox", { name: "Framed" }).check();
    await look(page, "media-image-form");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await image.locator("figcaption").click();
    await page.keyboard.type("In autumn");
    await says(page, "Saved");
    assert.match(
      await draft.markdown(),
      /^First\.\n\n<div align="left" data-with-frame="true"><figure><img src="[^"]*tree\.png" alt="An oak" width="240"><figcaption><p>In autumn<\/p><\/figcaption><\/figure><\/div>\n\n!\[Far\]/,
    );

    // Pasted beside text, a picture is left to the text; alone it comes in, and Cancel leaves nothing of it.
    await line();
    await bring(text, "paste", [picture("cells.png")], { "text/plain": "one two" });
    await text.getByText("one two").waitFor();
    assert.equal(await upload.count(), 0);
    let answer;
    await page.route(files, (route) => route.request().method() === "POST" ? (answer = route) : route.continue());
    await bring(text, "paste", [picture("unwanted.png")]);
    await upload.getByText("unwanted.png").waitFor();
    await upload.getByRole("button", { name: "Cancel" }).click();
    await upload.waitFor({ state: "detached" });
    await answer.abort().catch(() => undefined);
    await page.unroute(files);
    // What browsers cannot show may come as a file; what is too large says so.
    await bring(text, "paste", [{ name: "scan.tiff", type: "image/tiff", bytes: Buffer.from("II*") }]);
    await upload.getByText("Browsers cannot show this kind of image.").waitFor();
    await upload.getByRole("button", { name: "Insert as file" }).click();
    await text.locator(".block-file").getByText("scan.tiff").waitFor();
    await page.route(files, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 413, json: {} }) : route.continue(),
    );
    await bring(text, "paste", [{ name: "film.mov", type: "video/quicktime", bytes: Buffer.from("x") }]);
    await upload.getByText("This file is larger than 100 MB.").waitFor();
    await upload.getByRole("button", { name: "Remove" }).click();
    await says(page, "Saved");
    const saved = await draft.markdown();
    assert.match(saved, /\{% file src="[^"]*scan\.tiff" %\}/);
    assert.doesNotMatch(saved, /unwanted|film|blob:/);
    assert.deepEqual(problems.filter((problem) => !/413|ERR_FAILED/.test(problem)), []);
    await context.close();
  });

  test("leads to pages, headings and people by typing, and to what an address names", async () => {
    await app.addPerson("grace@example.org", "Grace Hopper", "edit");
    const { page, context, text, draft, problems, line } = await write("First.\n\nGo there.\n\n## A part\n\nLast.\n");
    const { changes } = await server.api("POST", `${draft.request}/content?compat=false`, {
      changes: [
        { operation: "insert_page", type: "group", title: "Guide", ref: "guide" },
        {
          operation: "insert_page",
          title: "Install",
          emoji: "1f680",
          into: "guide",
          document: { markdown: "Text.\n\n## On Linux\n" },
        },
      ],
    });
    const install = changes[1].page.id ?? changes[1].page;
    await page.reload();
    await text.waitFor();

    // "[[" lists pages with their paths, "#" their headings.
    await line("See [[ins");
    const menu = page.getByRole("listbox", { name: "Pages" });
    await menu.getByRole("option", { name: /Install.*Guide/ }).waitFor();
    assert.equal(
      await text.getAttribute("aria-activedescendant"),
      await menu.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await look(page, "media-pages");
    await page.keyboard.press("Enter");
    await text.locator(".mention").filter({ hasText: "🚀Install" }).waitFor();
    await page.keyboard.type(" and [[inst#lin");
    await menu.getByRole("option", { name: /On Linux/ }).click();
    await text.locator(".mention").filter({ hasText: "On Linux" }).waitFor();
    // "@" finds people as well; a mail address is left alone.
    await page.keyboard.type(" by @grace");
    await page
      .getByRole("listbox", { name: "Pages and people" })
      .getByRole("option", { name: /Grace Hopper/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await text.locator(".mention").filter({ hasText: "Grace Hopper" }).waitFor();
    await page.keyboard.type(" or me@example.org.");
    assert.equal(await page.getByRole("listbox").count(), 0);
    // A page that there is not is made.
    await page.keyboard.type(" Later: [[To come");
    await menu.getByRole("option", { name: "Create page “To come”" }).click();
    await text.locator(".mention").filter({ hasText: "To come" }).waitFor();
    await page.getByRole("treeitem", { name: "To come" }).waitFor();

    // Words lead to a heading of the page itself, and the link says where.
    // They are not the first ones of the page: a cursor that comes there within 200 ms of the focus is taken for one
    // that the browser has lost, and put back by ProseMirror.
    await text.getByText("Go there.").dblclick({ position: { x: 4, y: 12 } });
    await page.getByRole("toolbar", { name: "Selected text" }).waitFor();
    await drawn(page);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Address of the link" });
    await field.fill("#part");
    await page.getByRole("option", { name: /A part/ }).waitFor();
    await page.keyboard.press("Enter");
    await text.locator("a.link").filter({ hasText: "Go" }).waitFor();
    // The text has the focus again, with the words selected; then the cursor goes into them.
    await page.waitForFunction(() => document.activeElement?.matches("[data-editor]") && !getSelection().isCollapsed);
    await drawn(page);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => getSelection().isCollapsed);
    await drawn(page);
    await page.keyboard.press("ArrowRight");
    const card = page.getByRole("group", { name: "Link" });
    await card.getByText("A part").waitFor();
    await shoot(page, "media-link");
    await card.getByRole("button", { name: "Edit link" }).click();
    await field.fill("example.org/there");
    await page.keyboard.press("Enter");
    await text.locator('a[href="https://example.org/there"]').waitFor();

    // A lone address is a link, and can be more; the first undo leaves the address.
    await line();
    await bring(text, "paste", [], { "text/plain": "https://www.youtube.com/watch?v=abc" });
    const offers = page.getByRole("listbox", { name: "Show the address as" });
    await offers.getByRole("option", { name: "Embed" }).waitFor();
    await shoot(page, "media-paste");
    await page.keyboard.press("Control+z");
    await text.getByText("https://www.youtube.com/watch?v=abc").waitFor();
    assert.equal(await text.locator('a[href*="youtube"]').count(), 0);
    await page.keyboard.press("Control+Shift+z");
    await text.locator('a[href*="youtube"]').waitFor();
    await line();
    await bring(text, "paste", [], { "text/plain": `${server.base}/app/spaces/${draft.space}/pages/${install}` });
    await text.locator("a.link").filter({ hasText: "Install" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await text.locator(".block-content-ref").filter({ hasText: "Install" }).waitFor();
    await says(page, "Saved");
    const saved = await draft.markdown();
    assert.match(saved, /^First\.\n\n\[Go\]\(https:\/\/example\.org\/there\) there\./);
    assert.match(
      saved,
      /See \[[^\]]*\]\(guide\/install\.md "mention"\) and \[[^\]]*\]\(guide\/install\.md#on-linux "mention"\) by \[[^\]]*\]\([^)]* "mention"\) or me\\?@example\.org\./,
    );
    assert.match(saved, /\{% content-ref url="guide\/install\.md" %\}/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("puts files, cards, embeds, buttons, icons and emoji where they are asked for", async () => {
    const { page, context, text, draft, problems, line, slash } = await write("First.\n\nLast.\n");
    await server.api("POST", `${draft.request}/content`, {
      changes: [
        {
          operation: "insert_files",
          files: [
            { name: "tree.png", base64: picture("tree.png").bytes.toString("base64") },
            { name: "manual.pdf", base64: "JVBERi0=" },
          ],
        },
      ],
    });
    // From the files of the space.
    await line();
    await slash("photo");
    const files = page.getByRole("combobox", { name: "Search files" });
    await files.fill("tree");
    await page.getByRole("option", { name: "tree.png" }).click();
    await text.locator("figure.image img[width='320']").waitFor();
    await line();
    await slash("attachment");
    await files.fill("manual");
    await page.getByRole("option", { name: "manual.pdf" }).waitFor();
    await page.keyboard.press("Enter");
    await text.locator(".block-file").filter({ hasText: "manual.pdf" }).waitFor();
    // Cards: an embed by its address, a page.
    await line();
    await slash("youtube");
    await page.getByRole("textbox", { name: "Address of what is embedded" }).fill("vimeo.com/1234");
    await page.keyboard.press("Enter");
    await text.locator(".block-embed").filter({ hasText: "Vimeo video" }).waitFor();
    const play = text.getByRole("link", { name: "Play in a new tab" });
    assert.deepEqual(
      [await play.getAttribute("href"), await play.getAttribute("target")],
      ["https://vimeo.com/1234", "_blank"],
    );
    await line();
    await slash("reference");
    await page.getByRole("combobox", { name: "Card of a page" }).fill("page");
    await page.getByRole("option", { name: "Page" }).first().click();
    await text.locator(".block-content-ref").filter({ hasText: "Page" }).waitFor();
    // What stands in a line.
    await line("Done :tada");
    await page.getByRole("option", { name: ":tada:" }).waitFor();
    await page.keyboard.press("Enter");
    await text.locator(".emoji").filter({ hasText: "🎉" }).waitFor();
    // A whole short code needs no list; what is none stays as it was typed.
    await page.keyboard.type(" at :nosuch: :rocket: ");
    await text.locator(".emoji").filter({ hasText: "🚀" }).waitFor();
    await text.getByText(":nosuch:").waitFor();
    await slash("pictogram");
    await page.getByRole("combobox", { name: "Icon" }).fill("rocket");
    await page.getByRole("option", { name: "rocket" }).first().click();
    await text.locator('.icon[data-icon="rocket"] svg').waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type(" ");
    await slash("cta");
    const form = page.getByRole("dialog", { name: "Button" });
    await form.getByRole("textbox", { name: "Label" }).fill("Find it");
    await form.getByRole("combobox", { name: "When pressed" }).selectOption({ label: "Searches" });
    await form.getByRole("textbox", { name: "Words" }).fill("oak");
    await look(page, "media-button");
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    await text.locator(".button-primary").filter({ hasText: "Find it" }).waitFor();
    await says(page, "Saved");
    const saved = await draft.markdown();
    for (const part of [
      /tree\.png/,
      /\{% file src="[^"]*manual\.pdf" %\}/,
      /\{% embed url="https:\/\/vimeo\.com\/1234" %\}/,
      /\{% content-ref url=/,
      /Done :tada: at \\?:nosuch: :rocket: *<i class="fa-rocket">:rocket:<\/i> <button type="button" class="button primary" data-action="search" data-query="oak">Find it<\/button>/,
    ])
      assert.match(saved, part);
    assert.deepEqual(problems, []);
    await page.setViewportSize(phone.viewport);
    await page.emulateMedia({ colorScheme: "dark" });
    await look(page, "media-phone-dark");
    await context.close();
  });
});
