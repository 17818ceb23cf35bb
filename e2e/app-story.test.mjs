// The whole story of the app, with two people in two browsers who never see the API: sign in, write a page with a
// picture and tabs, ask for a review, comment, suggest, answer, settle a conflict, merge, and read it on the site. The
// pictures of the manual are taken on the way (make pictures).
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, password, picture, says, selectWords, startApp } from "./app.mjs";

const mod = process.platform === "darwin" ? "Meta" : "Control";

// A hive, drawn here, so that the manual has a picture of its own.
const cells = Array.from({ length: 4 * 9 }, (_, i) => {
  const [row, column] = [Math.floor(i / 9), i % 9];
  const [x, y] = [40 + column * 80 + (row % 2) * 40, 50 + row * 70];
  const corners = Array.from({ length: 6 }, (_, k) =>
    [x + 42 * Math.cos(Math.PI / 6 + (k * Math.PI) / 3), y + 42 * Math.sin(Math.PI / 6 + (k * Math.PI) / 3)]
      .map((at) => at.toFixed(1))
      .join(),
  );
  return `<polygon points="${corners.join(" ")}" fill="hsl(${38 + ((i * 7) % 9)} 90% ${52 + ((i * 5) % 24)}%)" stroke="#7a4d00" stroke-width="3"/>`;
});
const hive = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="310" viewBox="0 0 760 310"><rect width="760" height="310" fill="#ffd98a"/>${cells.join("")}</svg>`;

describe("the story of a page, from the first sign-in to the site", () => {
  let app, server, space, site, ada, grace;

  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "review");
    await app.session("grace@example.org");
    await app.session();
  });
  after(() => app?.stop());

  /** Signs in as a person does who was sent to an address of the app. */
  async function arrive(email) {
    const context = await app.browser.newContext({ ...desktop, viewport: { width: 1280, height: 760 }, locale: "en" });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`${server.base}/app`);
    await page.fill("#email", email);
    await page.fill("#password", password);
    await page.click("button.primary");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    return { page, context, problems };
  }

  // A step that fails ends the story.
  let ended = null;
  const step = (name, walk) =>
    test(name, async () => {
      if (ended) throw new Error(`the story ended at "${ended}"`);
      ended = name;
      await walk();
      ended = null;
    });

  const text = (page) => page.getByRole("textbox", { name: "Text of the page" });
  const panel = (page) => page.getByRole("complementary", { name: "Comments" });
  const number = (page) => Number(/changes\/(\d+)/.exec(page.url())[1]);

  async function slash(page, words) {
    await page.keyboard.type(`/${words}`);
    await page.getByRole("listbox", { name: "Blocks" }).getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
  }

  step("Ada signs in, makes a space, and writes a page with a picture and tabs", async () => {
    ada = await arrive("ada@example.org");
    const { page } = ada;
    await page.getByRole("button", { name: /^Begin blank/ }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Beekeeping");
    await page.getByRole("button", { name: "Create space" }).click();
    await page.getByRole("button", { name: "Write the first page" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("The hive");
    await page.keyboard.press("Enter");
    await text(page).waitFor();
    await page.keyboard.type("A hive is a house of wax that its bees build, heat and defend.");
    await page.keyboard.press("Enter");
    await slash(page, "image");
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "hive.svg", mimeType: "image/svg+xml", buffer: Buffer.from(hive) });
    const image = text(page).locator("figure.image");
    await image.locator("img").first().waitFor();
    await image.getByRole("textbox", { name: "Description" }).fill("Combs, cell by cell");
    await image.locator("figcaption").click();
    await page.keyboard.type("Every wall is a tenth of a millimetre thin.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("## What it is made of");
    await page.keyboard.press("Enter");
    await slash(page, "tabs");
    await page.keyboard.type("Wax, from the glands of young bees.");
    await says(page, "Saved");
    const parts = text(page).locator(".block-tabs");
    assert.ok(await parts.getByText("Wax, from the glands").isVisible(), "what is typed is in the tab that is open");
    assert.equal(await parts.locator(".tab-button").first().getAttribute("class"), "tab-button is-open");
    await look(page, "story-editor", { within: "main" });
    await picture(page, "editor");
    space = /spaces\/([^/]+)/.exec(page.url())[1];
    const { markdown } = await server.api(
      "GET",
      `/v1/spaces/${space}/change-requests/${number(page)}/content/page/${page.url().split("/pages/")[1].split(/[?#]/)[0]}?format=markdown`,
    );
    assert.match(
      markdown,
      /# The hive[\s\S]*hive\.svg[\s\S]*Every wall[\s\S]*## What it is made of[\s\S]*\{% tabs %\}\n\{% tab title="[^"]*" %\}\nWax, from/,
    );
  });

  step("she asks Grace, who is told, comments on words and suggests others", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "View changes" }).click();
    await page.getByRole("button", { name: "Edit the subject" }).click();
    await page.getByLabel("Subject").fill("Describe the hive");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Request review" }).click();
    await page.getByText("In review").waitFor();
    await page.getByRole("button", { name: "Ask for a review" }).click();
    await page.getByRole("menuitem", { name: "Grace" }).click();
    await page.getByRole("button", { name: "Do not ask Grace any more" }).waitFor();

    grace = await arrive("grace@example.org");
    await grace.page.getByText("Ada asks for your review").waitFor();
    await grace.page.getByRole("link", { name: /Inbox/ }).first().click();
    await grace.page.getByText("Ada asks you for a review").first().waitFor();
    await picture(grace.page, "inbox");
    await grace.page.getByRole("link", { name: /Describe the hive/ }).first().click();
    await grace.page.getByRole("link", { name: "The hive", exact: true }).first().click();
    await grace.page
      .locator("ins", { hasText: "house of wax" })
      .or(grace.page.getByText("house of wax"))
      .first()
      .waitFor();
    await grace.page.getByRole("img", { name: "Combs, cell by cell" }).waitFor();
    await picture(grace.page, "changes");
    // On words of the page itself.
    await grace.page.goto(
      `${server.base}/app/spaces/${space}/changes/1/pages/${(await server.api("GET", `/v1/spaces/${space}/change-requests/1/content/pages`)).pages[0].id}`,
    );
    await text(grace.page).waitFor();
    await selectWords(text(grace.page), "a house of wax");
    await grace.page.getByRole("toolbar").getByRole("button", { name: "Comment" }).waitFor();
    await grace.page.keyboard.press(`${mod}+Alt+m`);
    await panel(grace.page)
      .getByRole("combobox", { name: "Write a comment" })
      .fill("Is it the house, or what is in it?");
    await grace.page.keyboard.press(`${mod}+Enter`);
    await panel(grace.page).getByRole("region", { name: "Thread begun by Grace" }).waitFor();
    await selectWords(text(grace.page), "build, heat and defend");
    await grace.page.getByRole("toolbar").getByRole("button", { name: "Comment" }).waitFor();
    await grace.page.keyboard.press(`${mod}+Alt+m`);
    await panel(grace.page).getByRole("button", { name: "Suggest a change" }).click();
    await panel(grace.page).getByRole("textbox", { name: "New words" }).fill("build and keep warm");
    await panel(grace.page).getByRole("button", { name: "Suggest", exact: true }).click();
    await panel(grace.page).getByText("Suggested change").waitFor();
    await grace.page.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await grace.page.getByRole("button", { name: "Review", exact: true }).click();
    await grace.page.getByRole("radio", { name: /Ask for changes|changes/i }).check();
    await grace.page.getByLabel("What you have to say").fill("Two small things.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await grace.page.getByText("Two small things.").first().waitFor();
  });

  step("she answers, applies what was suggested, and is approved", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: /Inbox/ }).first().click();
    await page.getByText("Grace reviewed your change request").waitFor();
    await page.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await page.goto(
      `${server.base}/app/spaces/${space}/changes/1/pages/${(await server.api("GET", `/v1/spaces/${space}/change-requests/1/content/pages`)).pages[0].id}?panel=comments`,
    );
    await text(page).waitFor();
    const first = panel(page)
      .getByRole("region", { name: "Thread begun by Grace" })
      .filter({ hasText: "Is it the house" });
    await first.getByText("Is it the house").click();
    await first.getByRole("combobox", { name: "Reply" }).fill("The house. The bees are the *colony*.");
    await page.keyboard.press(`${mod}+Enter`);
    await first.getByText("The bees are the").waitFor();
    await picture(page, "comments");
    await first.getByRole("button", { name: "Resolve" }).click();
    // The thread below moves up when this one is smaller.
    await first.getByRole("button", { name: "Reopen" }).waitFor();
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    await panel(page).getByRole("button", { name: "Apply" }).click();
    await text(page).getByText("build and keep warm").waitFor();
    await says(page, "Saved");

    await grace.page.reload();
    await grace.page.getByRole("button", { name: "Review", exact: true }).click();
    await grace.page.getByRole("radio", { name: /Approve/ }).check();
    await grace.page.getByLabel("What you have to say").fill("Good.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await grace.page.getByText("Good.").first().waitFor();
    await page.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await page.getByText("Nothing stands in the way of a merge.").waitFor();
    await page.getByRole("link", { name: /^Conversation/ }).click();
    await page.getByRole("region", { name: "Conversation" }).getByText("Is it the house").waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Nothing stands in the way of a merge.").waitFor();
    await picture(page, "change-request");
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("heading", { name: "This has been merged" }).waitFor();
    ({ url: site } = await server.site("Beekeeping", [space]));
    assert.match(await (await fetch(site)).text(), /build and keep warm/);
  });

  step("both change the same words, and she settles it place by place", async () => {
    const { page } = ada;
    const write = async (who, words, more) => {
      await who.page.goto(`${server.base}/app/spaces/${space}`);
      await who.page.getByRole("button", { name: /^(Edit|Continue)/ }).first().click();
      await text(who.page).waitFor();
      await says(who.page, "Saved");
      await text(who.page).getByText("A hive is").click();
      await who.page.keyboard.press("End");
      await who.page.keyboard.press(`Shift+Home`);
      await who.page.keyboard.type(words);
      await says(who.page, "Saved");
      await more?.();
    };
    await write(ada, "A hive is a house of wax with a colony of bees in it.");
    await write(grace, "A hive is what bees build of wax and keep warm all winter.");
    await grace.page.getByRole("link", { name: "View changes" }).click();
    await grace.page.getByRole("button", { name: "Merge", exact: true }).click();
    await grace.page.getByRole("heading", { name: "This has been merged" }).waitFor();

    await page.getByRole("link", { name: "View changes" }).click();
    await page.getByRole("link", { name: "Settle conflicts" }).click();
    await page.getByText(/^1 of 1/).waitFor();
    const place = page.getByRole("region", { name: /^Place 1/ });
    await place.waitFor();
    await page.getByRole("img", { name: "Combs, cell by cell" }).waitFor();
    await picture(page, "conflict");
    await look(page, "story-conflict", { within: "main" });
    await page.keyboard.press("1");
    await place.getByRole("button", { name: "Edit the result" }).click();
    await place.getByRole("textbox", { name: "Result" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Its bees are a colony.");
    await place.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: /^Apply/ }).first().click();
    await page.getByRole("heading", { name: "All settled" }).waitFor();
  });

  step("merged, the site shows what both wrote", async () => {
    const { page } = ada;
    await page.goto(`${server.base}/app/spaces/${space}/changes/2`);
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("heading", { name: "This has been merged" }).waitFor();
    const [reader] = await Promise.all([
      page
        .context()
        .waitForEvent("page", { timeout: 3000 })
        .catch(() => page),
      page.getByRole("link", { name: "See it on the site" }).click(),
    ]);
    await reader.getByRole("heading", { name: "The hive" }).waitFor();
    await reader.getByText("keep warm all winter. Its bees are a colony.").waitFor();
    await reader.getByText("Wax, from the glands of young bees.").waitFor();
    await reader.locator('img[alt="Combs, cell by cell"]').waitFor();
    assert.equal(new URL(reader.url()).href, new URL(site).href);
    assert.deepEqual([ada.problems, grace.problems], [[], []]);
  });
});
