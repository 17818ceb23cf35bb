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
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head), chunk("IDAT", lines), chunk("IEND", Buffer.alloc(0))]);
}

/** Drops or pastes files, and texts that came with them, on an element. */
const bring = (target, kind, files, texts = {}) =>
  target.evaluate((element, { kind, files, texts }) => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of files) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
    for (const [type, text] of Object.entries(texts)) data.setData(type, text);
    const { right, bottom } = element.getBoundingClientRect();
    const more = { bubbles: true, cancelable: true };
    element.dispatchEvent(kind === "drop" ? new DragEvent("drop", { dataTransfer: data, clientX: right - 4, clientY: bottom - 2, ...more }) : new ClipboardEvent("paste", { clipboardData: data, ...more }));
  }, { kind, files: files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") })), texts });

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
      await page.keyboard.press("End");
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
    const { page, context, text, draft, problems, line } = await write("First.\n\n![Far](https://example.org/far.png)\n\nLast.\n");
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
    assert.match(await draft.markdown(), /^First\.\n\n<div align="left" data-with-frame="true"><figure><img src="[^"]*tree\.png" alt="An oak" width="240"><figcaption><p>In autumn<\/p><\/figcaption><\/figure><\/div>\n\n!\[Far\]/);

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
    await page.route(files, (route) => route.request().method() === "POST" ? route.fulfill({ status: 413, json: {} }) : route.continue());
    await bring(text, "paste", [{ name: "film.mov", type: "video/quicktime", bytes: Buffer.from("x") }]);
    await upload.getByText("This file is larger than 100 MB.").waitFor();
    await upload.getByRole("button", { name: "Remove" }).click();
    await says(page, "Saved");
    const saved = await draft.markdown();
    assert.match(saved, /\{% file src="[^"]*scan\.tiff" %\}/);
    assert.doesNotMatch(saved, /unwanted|film|blob:/);
    assert.deepEqual(problems.filter((problem) => !/413/.test(problem)), []);
    await context.close();
  });
});
