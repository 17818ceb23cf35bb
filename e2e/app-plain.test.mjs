// The app of a server in one's own network, at a name and without a certificate: browsers keep some of their functions
// from such pages, and people write, copy and merge there all the same.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { says, startApp } from "./app.mjs";

// Of one header Chromium says that it means nothing here. Two who write at once are told to take in what the other
// wrote.
const expected = /ERR_CONNECTION|status of 409|Cross-Origin-Opener-Policy header has been ignored/;

describe("without a certificate", () => {
  let app, server;

  before(async () => {
    ({ server } = app = await startApp({ host: "recto.test" }));
    await app.addPerson("grace@example.org", "Grace", "edit");
  });
  after(() => app?.stop());

  test("two people write in one page, copy a link to a block, merge, and the page is published", async () => {
    const draft = await app.draft("Hello.\n");
    const { url } = await server.site("Handbook", [draft.space]);
    const ada = await draft.open({ expected });
    assert.equal(await ada.page.evaluate(() => isSecureContext), false);
    const grace = await draft.open({ expected, email: "grace@example.org" });
    await ada.text.getByText("Hello.").click();
    await ada.page.keyboard.press("End");
    await ada.page.keyboard.type(" From Ada.");
    await grace.text.getByText("Hello. From Ada.").waitFor();
    await grace.text.getByText("Hello.").click();
    await grace.page.keyboard.press("End");
    await grace.page.keyboard.type(" From Grace.");
    await ada.text.getByText("Hello. From Ada. From Grace.").waitFor();
    await says(ada.page, "Saved");

    await ada.page.evaluate(() =>
      document.addEventListener("copy", () => (window.copied = document.activeElement.value), { once: true }),
    );
    await ada.page.keyboard.press("Control+/");
    await ada.page.getByRole("menuitem", { name: "Copy link" }).click();
    await ada.page.waitForFunction(() => window.copied);
    assert.match(await ada.page.evaluate(() => window.copied), /^http:\/\/recto\.test:\d+\/app\/spaces\//);

    // The Markdown of the page is written, too.
    await ada.page.goto(`${server.base}${draft.path}?mode=source`);
    await ada.page.getByText("From Grace.").waitFor();
    await ada.page.goto(`${server.base}/app/spaces/${draft.space}/changes/${draft.number}`);
    await ada.page.getByRole("button", { name: "Merge" }).click();
    await ada.page.getByText("This has been merged").waitFor();
    await ada.page.goto(url);
    await ada.page.getByText("Hello. From Ada. From Grace.").waitFor();
    for (const { problems } of [ada, grace]) assert.deepEqual(problems, []);
  });
});
