// What the tests of the app begin with: a server, a browser, and people who are signed in.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
export const password = "analytical engine 1843";

export const desktop = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Starts a server whose organization ada@example.org owns, and a browser, which finds the server at a host if one is
 * named.
 */
export async function startApp({ flags = [], host } = {}) {
  const server = await startRecto({ flags: ["--rate-limit", "0", ...flags], ...(host ? { host } : {}) });
  const browser = await launch({ hosts: host ? `MAP ${host} 127.0.0.1` : "" });
  if (shots) await mkdir(shots, { recursive: true });
  const states = new Map();

  function setPassword(email) {
    return new Promise((done, failed) => {
      const child = execFile(
        process.env.RECTO_BINARY ?? new URL("../bin/recto", import.meta.url).pathname,
        ["user", "password", "--data", server.data, "--email", email, "--stdin"],
        (error) => (error ? failed(error) : done()),
      );
      child.stdin.end(`${password}\n`);
    });
  }

  /** Signs in as the form of the page does, which signin.test.mjs fills in, and returns what a browser keeps of it. */
  async function signIn(email) {
    await setPassword(email);
    const { hostname, port } = new URL(server.base);
    // Only the browser finds the server at another name than this machine's.
    const answer = await fetch(`http://127.0.0.1:${port}/signin`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ email, password, next: "/app/" }),
      redirect: "manual",
    });
    assert.equal(answer.headers.get("location"), "/app/", `${email} is not signed in: ${answer.status}`);
    const cookies = answer.headers.getSetCookie().map((cookie) => {
      const [, name, value] = /^([^=]+)=([^;]*);/.exec(cookie);
      return { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" };
    });
    return { cookies, origins: [] };
  }

  const app = {
    server, browser,

    /** Adds a person to the organization. */
    addPerson: (email, name, role) =>
      recto([
        "user",
        "add",
        "--data",
        server.data,
        "--email",
        email,
        "--name",
        name,
        "--org",
        server.organization,
        "--role",
        role,
      ]),

    /** Returns what a browser keeps of somebody who is signed in. */
    session(email = "ada@example.org") {
      if (!states.has(email)) states.set(email, signIn(email));
      return states.get(email);
    },

    /**
     * Opens an address of the app as a person, in a context of its own when none is given. What goes wrong in the
     * browser is in problems, but for what expected matches.
     */
    async open(path, { email, context, expected = /ERR_CONNECTION|status of (404|409|50\d)/, ...options } = {}) {
      context ??= await browser.newContext({
        ...desktop,
        locale: "en",
        storageState: await app.session(email),
        ...options,
      });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on(
        "console",
        (message) => message.type() === "error" && !expected.test(message.text()) && problems.push(message.text()),
      );
      await page.goto(server.base + path);
      return { page, context, problems };
    },

    /** Makes a space with one page in a new draft, and returns how to get at it. */
    async draft(markdown, title = "Page") {
      const space = await server.space("Handbook", { [title]: markdown });
      const { number } = await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
      const { pages: [{ id }] } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
      const request = `/v1/spaces/${space}/change-requests/${number}`;
      return {
        space, number, id, request,
        path: `/app/spaces/${space}/changes/${number}/pages/${id}`,
        /** Returns the page's text as Markdown, without its title. */
        async markdown() {
          const { markdown } = await server.api("GET", `${request}/content/page/${id}?format=markdown`);
          return markdown.replace(/^(---\n[\s\S]*?\n---\n+)?# .*\n+/, "");
        },
        revisions: async () => (await server.api("GET", `${request}/revisions`)).items.length,
        /** Opens it to be written, or by somebody who only reads it. */
        async open({ reads = false, ...options } = {}) {
          const opened = await app.open(`/app/spaces/${space}/changes/${number}/pages/${id}`, options);
          const text = opened.page.getByRole(reads ? "region" : "textbox", { name: "Text of the page" });
          await text.waitFor();
          return { ...opened, text };
        },
      };
    },

    async stop() {
      await browser.close();
      await server.stop();
    },
  };
  return app;
}

/** Waits until the header of a page that is written says how its text stands, such as "Saved". */
export const says = (page, words) => page.getByRole("status").filter({ hasText: words }).first().waitFor();

/** Selects words of a text as a person with a mouse does. What is drawn anew meanwhile is looked for again. */
export async function selectWords(within, words) {
  for (let tries = 0; tries < 50; tries++) {
    const selected = await within.getByText(words).first().evaluate(async (element, words) => {
      const text = element.closest("[contenteditable]");
      if (text && document.activeElement !== text) {
        text.focus();
        // The editor puts its own cursor into the text 20 ms after that.
        await new Promise((done) => setTimeout(done, 50));
      }
      if (!element.isConnected) return false;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(words);
        if (at < 0) continue;
        getSelection().setBaseAndExtent(node, at, node, at + words.length);
        // It hears of a selection later than that it is made.
        await new Promise((done) => setTimeout(done, 50));
        return node.isConnected;
      }
      return false;
    }, words);
    if (selected) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no ${words}`);
}

/** Where the pictures of the manual go when they are taken anew: make pictures. */
const pictures = process.env.RECTO_PICTURES;

/** Takes a picture of the screen for the manual when they are taken. */
export async function picture(page, name) {
  if (!pictures) return;
  // What is arranged with the next frames is arranged.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))),
  );
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getTiming().iterations !== Infinity)
        .map((each) => each.finished),
    ),
  );
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  await session.detach();
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, "base64"));
}

/** Takes a screenshot when somebody wants to look at them. */
export const shoot = (page, name, options) =>
  shots && page.screenshot({ path: join(shots, `${name}.png`), ...options });

/** Looks at a screen: axe-core finds nothing serious in it, it shows no ids, and it does not scroll sideways. */
export async function look(page, name, { within } = {}) {
  // Colours that are on their way have the contrast of neither end.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each instanceof CSSTransition)
        .map((each) => each.finished),
    );
  });
  await shoot(page, name);
  assert.deepEqual(await seriousFindings(page, within ? { within } : {}), [], name);
  // Ids are for programs, for what shows code and for addresses: people see what things are called.
  assert.deepEqual(await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { parentElement: around, data } = texts.currentNode;
      if (!/(?<!:\/\/\S*)\b[a-z]+_[0-9a-z]{26}\b/.test(data)) continue;
      if (!around.closest("pre, code, .cm-editor") && around.checkVisibility()) found.push(data);
    }
    return found;
  }), [], `ids in ${name}`);
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= seen, `${name} is ${wide} wide in ${seen}`);
}
