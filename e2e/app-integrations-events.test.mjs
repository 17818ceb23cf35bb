// The calls of an integration's script in the app: listed, filtered, opened, sent once more; and development mode.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { look, phone, startApp } from "./app.mjs";
import { installKit } from "./kit.mjs";

describe("events of integrations", () => {
  let app, server, space, tunnel, heard;
  const address = (name) => `/app/orgs/${server.organization}/integrations/${name}/events`;
  const draw = (componentId, props = {}) =>
    server
      .api("POST", "/v1/integrations/kit/render", {
        componentId,
        props,
        context: { type: "document", spaceId: space, editable: false, theme: "light" },
      })
      .catch(() => null);

  before(async () => {
    ({ server } = app = await startApp({ flags: ["--fetch-allow", "127.0.0.0/8"] }));
    space = await server.space("Guide", { Start: "Hello.\n" });
    heard = [];
    tunnel = createServer((request, answer) => {
      request.resume().on("end", () => {
        heard.push(request.url);
        answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ type: "complete" }));
      });
    });
    await new Promise((done) => tunnel.listen(0, "127.0.0.1", done));
    await server.api("POST", "/v1/integrations/quiet", {
      organization: server.organization,
      title: "Quiet",
      description: "Does nothing.",
      scopes: [],
      visibility: "private",
      runtime: "v2",
      script: "export default { fetch: () => new Response('', { status: 406 }) };",
    });
    await installKit(server, null);
    await draw("counter", { start: 7 });
    await draw("faulty", { broken: true });
    await app.addPerson("grace@example.org", "Grace", "read");
  });
  after(async () => {
    tunnel?.close();
    await app?.stop();
  });

  test("they are listed with what came of them, filtered and opened", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/kit`);
    await page.getByRole("link", { name: "Events" }).click();
    const rows = page.locator("main li");
    for (let i = 0; i < 20 && (await rows.filter({ hasText: "ui_render" }).count()) < 2; i++) {
      await page.getByRole("button", { name: "Look again" }).click();
      await page.waitForLoadState("networkidle");
    }
    await page.getByRole("combobox", { name: "What came of it" }).selectOption("failed");
    await page.waitForURL(/status=failed/);
    await rows.filter({ hasText: "Success" }).first().waitFor({ state: "detached" });
    await rows.filter({ hasText: "ui_render" }).first().waitFor();
    assert.equal(await rows.filter({ hasText: "ui_render" }).count(), 1);
    await page.getByRole("combobox", { name: "What came of it" }).selectOption("");
    await page.getByRole("combobox", { name: "Type" }).selectOption("ui_render");
    await page.waitForURL(/type=ui_render/);
    const drawn = rows.filter({ hasText: "Success" }).first();
    await drawn.getByText(/^[\d,]+ ms$/).waitFor();
    await drawn.getByRole("button").first().click();
    await drawn.getByText("event ui_render").waitFor();
    await drawn.getByText('"start": 7').waitFor();
    await drawn.getByText("it cannot be sent once more").waitFor();
    await look(page, "events-open");
    await page.keyboard.press("Enter");
    await drawn.getByText("event ui_render").waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a task is sent once more", async () => {
    const { urls } = await server.api("GET", "/v1/integrations/kit");
    assert.equal((await fetch(`${urls.publicEndpoint}/task`, { method: "POST" })).status, 200);
    const { page, context, problems } = await app.open(`${address("kit")}?type=task`);
    const rows = page.locator("main li[data-event]");
    const there = async (wanted) => {
      for (let i = 0; i < 60 && (await rows.count()) < wanted; i++) {
        await page.getByRole("button", { name: "Look again" }).click();
        await page.waitForLoadState("networkidle");
      }
      assert.equal(await rows.count(), wanted);
    };
    await there(1);
    await rows.first().getByRole("button").first().click();
    await page.getByText("swept sweep").waitFor();
    await page.getByRole("button", { name: "Send it once more" }).click();
    await page.getByText("It is on its way, as a new event.").waitFor();
    await there(2);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("development mode sends events to another machine, and ends", async () => {
    const { page, context, problems } = await app.open(address("kit"));
    await page
      .getByRole("textbox", { name: "Address of your machine" })
      .fill(`http://127.0.0.1:${tunnel.address().port}/`);
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByText("Events of this organization go to http://127.0.0.1").waitFor();
    await draw("counter");
    assert.equal(heard.length, 1, "the machine was not called");
    await look(page, "events-development");
    const { development } = await server.api("GET", "/v1/integrations/kit");
    assert.deepEqual(development, { tunnelUrl: `http://127.0.0.1:${tunnel.address().port}/`, all: false });
    await page.getByRole("button", { name: "Turn it off" }).click();
    await page.getByRole("button", { name: "Turn it on" }).waitFor();
    assert.equal((await server.api("GET", "/v1/integrations/kit")).development, undefined);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("none yet, on a phone, in the dark, in German; a reader sees neither calls nor development mode", async () => {
    const none = await app.open(address("quiet"), { ...phone, colorScheme: "dark", locale: "de" });
    await none.page.getByText("Ihr Skript wurde noch nicht aufgerufen").waitFor();
    await look(none.page, "events-none-phone");
    await none.page.goto(server.base + address("kit"));
    await none.page.locator("main li").first().getByRole("button").click();
    await none.page.getByText("Protokoll", { exact: true }).waitFor();
    await look(none.page, "events-phone");
    assert.deepEqual(none.problems, []);
    await none.context.close();
    const reader = await app.open(address("kit"), { email: "grace@example.org" });
    await reader.page.getByText("Its script was not called yet").waitFor();
    assert.equal(await reader.page.getByRole("heading", { name: "Development mode" }).count(), 0);
    assert.deepEqual(reader.problems, []);
    await reader.context.close();
  });
});
