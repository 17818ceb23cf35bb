import { mkdir, writeFile, mkdtemp } from "node:fs/promises";
import { join, dirname } from "node:path";
import { tmpdir } from "node:os";
process.env.RECTO_SCREENSHOTS = "/tmp/w/walk/shots";
const { startApp, look, desktop, phone } = await import("/tmp/w/left/e2e/app.mjs");
const app = await startApp();
const { server } = app;
const org = server.organization;
const tokens = {};
const as = async (token, method, path, body) => {
  const r = await fetch(server.base + path, { method, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, body: body && JSON.stringify(body) });
  const text = await r.text();
  if (!r.ok) throw new Error(`${method} ${path}: ${r.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
};
try {
  const out = await app.addPerson("grace@example.org", "Grace Hopper", "review");
  const out2 = await app.addPerson("konrad@example.org", "Konrad Zuse-von-und-zu-Hohenlohe the Third", "review");
  const tok = (o) => /"token":\s*"([^"]+)"/.exec(typeof o === "string" ? o : o.stdout ?? JSON.stringify(o))[1];
  const grace = tok(out), konrad = tok(out2);
  const me = (await server.api("GET", "/v1/user")).id;
  // history
  const pages = {}; for (let i = 1; i <= 12; i++) pages[`Chapter ${i}`] = `Text of chapter ${i}.\n\nMore of it.\n`;
  const space = await server.space("Handbook of the operations department", pages);
  const list = (await server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
  for (let i = 0; i < 30; i++)
    await as([grace, konrad, undefined][i % 3] ?? server.token, "POST", `/v1/spaces/${space}/content`, { changes: [{ operation: "update_page", page: list[i % 12].id, document: { markdown: `Round ${i}.\n` } }] }).catch((e) => i < 3 && console.log(String(e)));
  const cr = await as(grace, "POST", `/v1/spaces/${space}/change-requests`, { subject: "Rewrite the introduction so that newcomers understand what the on-call rotation is about" });
  for (let i = 0; i < 6; i++)
    await as(grace, "POST", `/v1/spaces/${space}/change-requests/${cr.number}/content`, { changes: [{ operation: "update_page", page: list[i].id, document: { markdown: `Proposed ${i}.\n` } }] });
  // inbox of Ada
  for (let n = 0; n < 12; n++) {
    const c = await as(n % 2 ? grace : konrad, "POST", `/v1/spaces/${space}/change-requests`, { subject: n % 3 ? `Fix a typo in chapter ${n}` : "A very long subject of a change request that says in all detail what was done and why it had" });
    const at = `/v1/spaces/${space}/change-requests/${c.number}`;
    await as(n % 2 ? grace : konrad, "POST", `${at}/content`, { changes: [{ operation: "update_page", page: list[n].id, document: { markdown: `Change ${n}.\n` } }] });
    await as(n % 2 ? grace : konrad, "POST", `${at}/requested-reviewers`, { users: [me] });
    await as(n % 2 ? grace : konrad, "POST", `${at}/comments`, { body: { markdown: `[Ada](/users/${me} "mention") could you look at this? ${"It is about the second part. ".repeat(n)}` } });
  }
  // folder
  const folder = join(await mkdtemp(join(tmpdir(), "walk-")), "a-folder-with-a-rather-long-name-for-docs");
  const files = { "mkdocs.yml": "site_name: Owls\nplugins: [search, macros]\n" };
  for (let i = 0; i < 40; i++) files[`docs/part-${i % 5}/page-${i}.md`] = `# Page ${i} about owls and other birds of the night\n\nText with a [broken link](../nowhere/x.md) and ![a picture](missing-${i}.png).\n\n{{ macro_${i} }}\n`;
  files["docs/index.md"] = "# Owls\n\nHello.\n";
  for (const [p, t] of Object.entries(files)) { await mkdir(dirname(join(folder, p)), { recursive: true }); await writeFile(join(folder, p), t); }

  const modes = { desktop: {}, phone: { ...phone }, dark: { colorScheme: "dark" }, "phone-dark": { ...phone, colorScheme: "dark" } };
  const shot = async (page, name) => { try { await look(page, name); } catch (e) { console.log("LOOK", name, String(e.message).slice(0, 600)); } };
  const only = process.argv[2];
  for (const [mode, options] of Object.entries(modes)) {
    const { page, context, problems } = await app.open("/app/inbox", options);
    const step = async (what, f) => { if (only && !what.includes(only)) return; try { await f(); } catch (e) { console.log("STEP", mode, what, String(e.message).slice(0, 400)); await page.screenshot({ path: `shots/fail-${what}-${mode}.png` }); } };
    await step("inbox", async () => {
      await page.getByRole("link", { name: /asks you/ }).first().waitFor();
      await shot(page, `inbox-${mode}`);
      await page.getByRole("link", { name: "All", exact: true }).click();
      await page.evaluate(() => { (document.querySelector("main") ?? document.scrollingElement).scrollTo(0, 99999); window.scrollTo(0, 99999); });
      await shot(page, `inbox-all-end-${mode}`);
    });
    await step("history", async () => {
      await page.goto(`${server.base}/app/spaces/${space}/history`);
      await page.getByRole("listitem").nth(8).waitFor();
      await shot(page, `history-${mode}`);
      await page.evaluate(() => window.scrollTo(0, 99999));
      await shot(page, `history-end-${mode}`);
      await page.goto(`${server.base}/app/spaces/${space}/changes/${cr.number}/commits`);
      await page.getByRole("checkbox").nth(2).waitFor();
      await shot(page, `commits-${mode}`);
      await page.getByRole("checkbox").first().check();
      await page.getByRole("checkbox").last().check();
      await page.evaluate(() => window.scrollTo(0, 99999));
      await shot(page, `commits-chosen-${mode}`);
      await page.goto(`${server.base}/app/spaces/${space}/pages/${list[0].id}?panel=history`);
      await page.getByText("Created").first().waitFor();
      await shot(page, `page-history-${mode}`);
    });
    await step("space", async () => {
      await page.goto(`${server.base}/app`);
      await page.getByRole("button", { name: "New" }).or(page.getByRole("button", { name: "New space" })).first().waitFor();
      await shot(page, `home-${mode}`);
      await page.goto(`${server.base}/app/orgs/${org}/start`);
      await page.waitForTimeout(800);
      await shot(page, `start-${mode}`);
    });
    await step("import", async () => {
      await page.goto(`${server.base}/app/orgs/${org}/start?with=import`);
      await page.getByRole("radio", { name: "Folder", exact: true }).check();
      await shot(page, `import-form-${mode}`);
      await page.locator("input[type=file]").setInputFiles(folder);
      await page.getByRole("status").filter({ hasText: "are there now." }).waitFor();
      await shot(page, `import-done-${mode}`);
      await page.evaluate(() => window.scrollTo(0, 99999));
      await shot(page, `import-done-end-${mode}`);
    });
    if (problems.length) console.log("PROBLEMS", mode, problems);
    await context.close();
  }
} finally { await app.stop(); }
