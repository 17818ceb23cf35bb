// What readers and writers do most, in WebKit, the engine of Safari: find a page of a site, write one, and move it. It
// is asked through WebDriver, since playwright-core drives no WebKit of Debian.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { startRecto } from "./recto.mjs";

const element = "element-6066-11e4-a52e-4f735466cecf";
const keys = { enter: "\uE007", tab: "\uE004", escape: "\uE00C", end: "\uE010", control: "\uE009" };

async function ask(method, path, body) {
  const response = await fetch(process.env.WEBKIT_DRIVER + path, {
    method,
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** Opens a window of WebKit. */
async function openWindow() {
  const capabilities = {
    alwaysMatch: { "webkitgtk:browserOptions": { binary: process.env.WEBKIT, args: ["--automation"] } },
  };
  const at = `/session/${(await ask("POST", "/session", { capabilities })).sessionId}`;
  const resize = (width, height) => ask("POST", `${at}/window/rect`, { x: 0, y: 0, width, height });
  await resize(1300, 900);
  const act = (type, id, actions, more = {}) =>
    ask("POST", `${at}/actions`, { actions: [{ type, id, actions, ...more }] });
  const tab = {
    resize,
    go: (url) => ask("POST", `${at}/url`, { url }),
    run: (script, ...args) => ask("POST", `${at}/execute/sync`, { script, args }),
    /** Asks until a script returns something that holds, and returns it. */
    async until(script, ...args) {
      const deadline = Date.now() + 15_000;
      for (;;) {
        const found = await tab.run(script, ...args);
        if (found) return found;
        if (Date.now() > deadline)
          throw new Error(
            `never: ${script}; it shows ${await tab.run("return document.body.innerText.slice(0, 2000)")}`,
          );
        await new Promise((done) => setTimeout(done, 100));
      }
    },
    type: (text) =>
      act(
        "key",
        "keys",
        [...text].flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      ),
    chord: (...pressed) =>
      act("key", "keys", [
        ...pressed.map((value) => ({ type: "keyDown", value })),
        ...pressed.toReversed().map((value) => ({ type: "keyUp", value })),
      ]),
    /** Presses the mouse at the first of some places, moves over the others, and lets go. */
    drag: ([first, ...others]) =>
      act(
        "pointer",
        "mouse",
        [
          { type: "pointerMove", ...first, duration: 0 },
          { type: "pointerDown", button: 0 },
          ...others.map((place) => ({ type: "pointerMove", ...place, duration: 150 })),
          { type: "pointerUp", button: 0 },
        ],
        { parameters: { pointerType: "mouse" } },
      ),
    /** Clicks what a selector finds. */
    async click(css) {
      const found = await ask("POST", `${at}/element`, { using: "css selector", value: css });
      await ask("POST", `${at}/element/${found[element]}/click`, {});
    },
    /** The middle of the first element that begins with a text. */
    place: (css, text) =>
      tab.until(
        `const all = [...document.querySelectorAll(arguments[0])];
      const found = all.find((each) => each.textContent.trim().startsWith(arguments[1]));
      if (!found) return null;
      const { left, top, width, height } = found.getBoundingClientRect();
      return { x: Math.round(left + Math.min(width / 2, 60)), y: Math.round(top + height / 2) };`,
        css,
        text,
      ),
    close: () => ask("DELETE", at),
  };
  return tab;
}

describe("WebKit", () => {
  let server, space, url, tab;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    space = await server.space("Guide", {
      Start: "Begin with a lighthouse.\n",
      Second: "Another page.\n",
      Third: "A formula: $$a^2$$.\n",
    });
    url = (await server.site("Guide", [space])).url;
    await new Promise((done, failed) => {
      const child = execFile(
        process.env.RECTO_BINARY,
        ["user", "password", "--data", server.data, "--email", "ada@example.org", "--stdin"],
        (error) => (error ? failed(error) : done()),
      );
      child.stdin.end("a long password\n");
    });
    tab = await openWindow();
  });
  after(async () => {
    await tab?.close();
    await server?.stop();
  });

  test("a reader finds a page of a site, sees the hits, and opens one", async () => {
    await tab.go(url);
    await tab.until("return document.querySelector('.search-button')");
    await tab.drag([await tab.place(".search-button", "Search")]);
    await tab.until("return document.activeElement?.type === 'search'");
    await tab.type("lighthouse");
    await tab.until("return document.querySelector('.search-results .hit')");
    const [list, hit] = await tab.run(
      "return ['.search-results', '.hit'].map((each) => document.querySelector(`dialog ${each}`).offsetHeight)",
    );
    assert.ok(list >= hit, `the list is ${list} high, its first hit ${hit}`);
    await tab.type(keys.enter);
    await tab.until("return document.querySelector('h1')?.textContent.includes('Start')");
  });

  test("a formula of a site is drawn", async () => {
    await tab.go(`${url}third`);
    await tab.until("return document.querySelector('.math .katex')");
  });

  test("a writer signs in, writes, and finds it again", async () => {
    await tab.go(`${server.base}/signin?next=${encodeURIComponent(`/app/spaces/${space}`)}`);
    await tab.click("#email");
    await tab.type("ada@example.org");
    await tab.click("#password");
    await tab.type(`a long password${keys.enter}`);
    await tab.drag([await tab.place("header a, header button", "Edit")]);
    await tab.until("return document.querySelector('.ProseMirror[contenteditable=true] p')");
    await tab.drag([await tab.place(".ProseMirror p", "Begin")]);
    await tab.type(`${keys.end}${keys.enter}## Next${keys.enter}- one${keys.enter}two${keys.enter}${keys.enter}/tabl`);
    await tab.until("return document.querySelector('[role=listbox] [role=option]')");
    await tab.type(`${keys.enter}Name${keys.tab}Kind`);
    await tab.until(
      "return [...document.querySelectorAll('[role=status]')].some((each) => each.textContent.trim() === 'Saved')",
    );
    const shown =
      "return [...document.querySelectorAll('.ProseMirror > :is(h2, .block-heading), .ProseMirror :is(li, th)')]" +
      ".map((each) => each.textContent.trim()).filter(Boolean).join('|')";
    await tab.until(`${shown.replace("return", "return (")}) === "Next|one|two|Name|Kind"`);
    await tab.run("location.reload()");
    await tab.until(`${shown.replace("return", "return (")}) === "Next|one|two|Name|Kind"`);
  });

  test("a long title shows whole while it is written", async () => {
    await tab.drag([await tab.place(".column textarea, textarea", "")]);
    await tab.type(`${keys.end} and a title that goes on and on, so that one line does not hold it`);
    const whole = "const { clientHeight, scrollHeight } = document.activeElement; return clientHeight >= scrollHeight";
    await tab.until(whole);
    assert.ok((await tab.run("return document.activeElement.clientHeight")) > 60);
  });

  test("a page is dragged to another place of the tree", async () => {
    const from = await tab.place("[role=treeitem]", "Third");
    const to = await tab.place("[role=treeitem]", "Start");
    await tab.drag([from, { x: from.x + 5, y: from.y - 15 }, { x: to.x, y: to.y + 8 }, { x: to.x, y: to.y - 13 }]);
    await tab.until(
      "return [...document.querySelectorAll('[role=treeitem]')].map((each) => each.textContent.trim()).join('|')" +
        ".startsWith('Third|Start')",
    );
  });

  // The window of WebKit's own browser can be as narrow as a wide phone.
  test("on a phone nothing is wider than the screen", async () => {
    await tab.resize(390, 844);
    assert.ok((await tab.run("return innerWidth")) < 480);
    const organization = `/app/orgs/${server.organization}`;
    const app = ["/app/", "/app/inbox", `/app/spaces/${space}`, `/app/spaces/${space}/settings`, `${organization}/people`];
    const change = (await tab.run("return location.pathname")).replace(/\/pages.*/, "");
    const changes = [change, `${change}/diff`, `${change}/conversation`, `${change}/commits`];
    for (const path of [...[...app, ...changes].map((each) => server.base + each), url, `${url}third`]) {
      await tab.go(path);
      await tab.until("return document.querySelector('main h1')");
      await new Promise((done) => setTimeout(done, 500));
      const wide = await tab.run(
        `if (document.documentElement.scrollWidth <= innerWidth) return [];
        const all = [...document.querySelectorAll("body *")];
        return all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML);`,
      );
      assert.deepEqual(wide.map((each) => each.slice(0, 120)), [], path);
    }
  });
});
