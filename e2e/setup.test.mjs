// A person with no manual: recto serve in an empty folder, the link that it prints, and their own docs as a site.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { desktop, look, phone } from "./app.mjs";
import { freePort, root } from "./recto.mjs";

describe("the first minutes of a server", () => {
  let folder,
    child,
    base,
    browser,
    printed = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "recto-setup-"));
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    child = spawn(process.env.RECTO_BINARY ?? join(root, "bin", "recto"), ["serve", "--listen", `127.0.0.1:${port}`], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
    const deadline = Date.now() + 30_000;
    while (!printed.includes("Recto is ready")) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(printed);
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), once(child, "exit")]);
    }
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    if (child && child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test("from the link in the terminal to a published site", async () => {
    const stranger = await browser.newContext({ ...phone, colorScheme: "dark", locale: "en" });
    const other = await stranger.newPage();
    await other.goto(base);
    assert.equal(new URL(other.url()).pathname, "/setup");
    await look(other, "setup-phone");
    await other.getByLabel("Code").fill("AAAA-AAAA-AAAA-AAAA");
    for (const [label, text] of [
      ["Organization", "Mine"],
      ["Your name", "Eve"],
      ["E-mail address", "eve@example.org"],
      ["Password", "analytical engine"],
    ])
      await other.getByLabel(label).fill(text);
    await other.getByRole("button", { name: "Begin" }).click();
    await other.getByText("That is not the code").waitFor();
    await look(other, "setup-refused-phone");

    const [link] = printed.match(/http:\S+\/setup\?code=\S+/);
    assert.doesNotMatch(printed.replace(link, ""), /code=[A-Z2-7]/);
    const context = await browser.newContext({ ...desktop, locale: "en" });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(link);
    await look(page, "setup");
    // The keyboard alone.
    await page.getByLabel("Organization").fill("Lovelace Docs");
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail address").fill("ada@example.org");
    await page.getByLabel("Password").fill("analytical engine");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Begin your docs" }).waitFor();

    await page
      .getByRole("link", { name: /^Import docs|^Bring/ })
      .first()
      .click();
    await page.getByRole("radio", { name: "Markdown, HTML" }).check();
    await page
      .locator("input[type=file]")
      .setInputFiles({
        name: "engine.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# The engine\n\nIt weaves algebraic patterns.\n"),
      });
    await page.getByRole("status").filter({ hasText: "1 page is there now." }).waitFor();
    await page.getByRole("link", { name: "Publish it" }).click();
    await page.getByRole("radio", { name: /^Everybody Search/ }).waitFor();
    await page.getByRole("button", { name: "Publish it" }).click();
    await page.getByRole("status").filter({ hasText: "It is published" }).waitFor();

    // The address of the server lists it, for them and for strangers, for whom setting up is over.
    await page.goto(base);
    await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();
    await look(page, "start");
    await other.goto(link);
    assert.equal(new URL(other.url()).pathname, "/");
    await look(other, "start-phone");
    await other.getByRole("link", { name: /engine/ }).click();
    await other.getByText("It weaves algebraic patterns.").waitFor();
    assert.deepEqual(problems, []);
  });
});
