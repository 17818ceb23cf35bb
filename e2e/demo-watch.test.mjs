// A demo that follows a folder: the page that is open in a browser loads itself again when a file is saved.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { freePort, root } from "./recto.mjs";

let folder, child, exited, browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "recto-watch-"));
  await mkdir(join(folder, "owls"));
  browser = await launch();
});

after(async () => {
  child?.kill("SIGINT");
  await exited;
  await browser?.close();
  await rm(folder, { recursive: true });
});

test("an open page shows what was saved", async () => {
  const file = join(folder, "owls", "README.md");
  await writeFile(file, "# Owls\n\nOne owl.\n");
  const port = await freePort();
  child = spawn(
    process.env.RECTO_BINARY ?? join(root, "bin", "recto"),
    ["demo", join(folder, "owls"), "--watch", "--data", join(folder, "data"), "--listen", `127.0.0.1:${port}`],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  exited = new Promise((done) => child.once("exit", done));
  await new Promise((done, failed) => {
    let said = "";
    child.stderr.on("data", (chunk) => (said += chunk).includes("Recto is ready") && done());
    child.once("exit", () => failed(new Error(said)));
  });
  const page = await browser.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(`http://127.0.0.1:${port}/sites/recto-docs/owls/`);
  await page.getByText("One owl.").waitFor();
  await writeFile(file, "# Owls\n\nTwo owls.\n");
  await page.getByText("Two owls.").waitFor({ timeout: 30_000 });
  await writeFile(file, "# Owls\n\nThree owls.\n");
  await page.getByText("Three owls.").waitFor({ timeout: 30_000 });
  assert.deepEqual(faults, []);
});
