// Takes pictures of our references and of what others make of the same descriptions, and prints what can be measured of
// each:
//
//   scripts/rivals FOLDER [PART …]
//
// installs the others into FOLDER and runs this. FOLDER/pictures has the pictures afterwards; docs/references.md says
// what they showed. No test runs it. PART is a part of the names of pictures, such as "docker-ours" or "phone".
import { createServer } from "node:http";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { launch } from "./browser.mjs";
import { root, startRecto } from "./recto.mjs";

const [folder, ...parts] = process.argv.slice(2);
const pictures = join(resolve(folder), "pictures");
const bundles = join(resolve(folder), "node_modules");
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
};

// The operations that are looked at: where ours is, and what the others call it.
const descriptions = {
  docker: {
    file: "docker.yaml.gz",
    operations: [
      {
        name: "create",
        ours: "container/containercreate",
        redoc: "tag/Container/operation/ContainerCreate",
        scalar: "tag/container/POST/containers/create",
        elements: "operations/ContainerCreate",
      },
      {
        name: "list",
        ours: "container/containerlist",
        redoc: "tag/Container/operation/ContainerList",
        scalar: "tag/container/GET/containers/json",
        elements: "operations/ContainerList",
      },
    ],
  },
  github: {
    file: "github.json.gz",
    operations: [
      {
        name: "issue",
        ours: "issues/issues-create",
        redoc: "tag/issues/operation/issues/create",
        scalar: "tag/issues/POST/repos/{owner}/{repo}/issues",
        elements: "operations/issues-create",
      },
    ],
  },
};

const others = {
  scalar: {
    files: { "main.js": "@scalar/api-reference/dist/browser/standalone.js" },
    page: (type) =>
      `<div id="app"></div><script src="main.js"></script><script>Scalar.createApiReference("#app", { url: "description.${type}", withDefaultFonts: false, telemetry: false })</script>`,
    hash: (operation) => `#${operation.scalar}`,
  },
  redoc: {
    files: { "main.js": "redoc/bundles/redoc.standalone.js" },
    page: (type) => `<redoc spec-url="description.${type}"></redoc><script src="main.js"></script>`,
    hash: (operation) => `#${operation.redoc}`,
  },
  elements: {
    files: { "main.js": "@stoplight/elements/web-components.min.js", "main.css": "@stoplight/elements/styles.min.css" },
    page: (type) =>
      `<link rel="stylesheet" href="main.css"><script src="main.js"></script><elements-api apiDescriptionUrl="description.${type}" router="hash" layout="sidebar"></elements-api>`,
    hash: (operation) => `#/${operation.elements}`,
  },
};

const sources = {};
for (const [name, { file }] of Object.entries(descriptions)) {
  sources[name] = gunzipSync(await readFile(join(root, "internal/engine/oas/testdata", file)));
}

/** Serves each of the others at /{other}/{description}/. */
async function serveOthers() {
  const server = createServer(async (request, answer) => {
    const [, other, description, file] = new URL(request.url, "http://localhost").pathname.split("/");
    const type = descriptions[description]?.file.split(".")[1];
    const kind = { js: "text/javascript", css: "text/css", json: "application/json", yaml: "application/yaml" };
    if (!type || !others[other]) return answer.writeHead(404).end();
    if (!file) {
      answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      return answer.end(
        `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${other}</title><body style="margin:0">${others[other].page(type)}`,
      );
    }
    const bytes = file.startsWith("description.")
      ? sources[description]
      : await readFile(join(bundles, others[other].files[file] ?? "none")).catch(() => null);
    if (!bytes) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": kind[file.split(".").at(-1)] }).end(bytes);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/** Publishes the descriptions, and returns the addresses of the references by their names. */
async function publish(server) {
  const addresses = {};
  for (const [name, source] of Object.entries(sources)) {
    await server.api("PUT", `/v1/orgs/${server.organization}/openapi/${name}`, { source: { text: source.toString() } });
    const space = await server.space(name, { Welcome: "Hello." });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: "API",
          type: "computed",
          computed: {
            type: "builtin:openapi",
            props: { models: true, grouping: "by-operation" },
            dependencies: { spec: { ref: { kind: "openapi", spec: name } } },
          },
        },
      ],
    });
    ({ url: addresses[name] } = await server.site(name, [space]));
    // A description is read in the background.
    const page = `${addresses[name]}/api/${descriptions[name].operations[0].ours}`;
    for (const deadline = Date.now() + 120_000; !(await fetch(page)).ok;) {
      if (Date.now() > deadline) throw new Error(`${page} is not there`);
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  return addresses;
}

/** Waits until the page has drawn what it is about and has come to rest. */
async function settled(page, quiet) {
  await page.waitForFunction((least) => document.body.innerText.length > least, 400, { timeout: 120_000 });
  await page.evaluate(
    (time) =>
      new Promise((done) => {
        let timer = setTimeout(done, time);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(done, time);
        }).observe(document.body, { subtree: true, childList: true });
      }),
    quiet,
  );
}

const rows = [];

async function take(browser, name, address, size, quiet) {
  const context = await browser.newContext(sizes[size]);
  const page = await context.newPage();
  let bytes = 0;
  page.on("response", async (response) => {
    // Only code counts: pictures and descriptions are the same for all.
    if (!/javascript/.test(response.headers()["content-type"] ?? "")) return;
    bytes += gzipSync(await response.body().catch(() => Buffer.alloc(0))).length;
  });
  const begun = performance.now();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await settled(page, quiet);
  const took = performance.now() - begun - quiet;
  await page.screenshot({ path: join(pictures, `${name}-${size}.png`) });
  const height = await page.evaluate(() =>
    Math.max(
      document.documentElement.scrollHeight,
      ...[...document.querySelectorAll("main, .sl-overflow-y-auto")].map((node) => node.scrollHeight),
    ),
  );
  rows.push({
    picture: `${name}-${size}`,
    height,
    "script in kB, gzip": Math.round(bytes / 1024),
    "drawn in ms": Math.round(took),
  });
  console.log(JSON.stringify(rows.at(-1)));
  await context.close();
}

await mkdir(pictures, { recursive: true });
const wanted = (name) => parts.length === 0 || parts.some((part) => name.includes(part));
const server = await startRecto();
const rivals = await serveOthers();
const browser = await launch();
try {
  const addresses = await publish(server);
  for (const [description, { operations }] of Object.entries(descriptions)) {
    for (const operation of operations) {
      for (const size of Object.keys(sizes)) {
        const name = (who) => `${description}-${who}-${operation.name}`;
        if (wanted(`${name("ours")}-${size}`))
          await take(browser, name("ours"), `${addresses[description]}/api/${operation.ours}`, size, 200);
        for (const [who, other] of Object.entries(others)) {
          if (!wanted(`${name(who)}-${size}`)) continue;
          const address = `http://127.0.0.1:${rivals.address().port}/${who}/${description}/${other.hash(operation)}`;
          await take(browser, name(who), address, size, 2500).catch((error) =>
            console.log(`${name(who)}-${size}: ${error.message.split("\n")[0]}`),
          );
        }
      }
    }
  }
  await writeFile(join(pictures, "measured.json"), JSON.stringify(rows, null, 2));
} finally {
  await browser.close();
  rivals.close();
  await server.stop();
}
