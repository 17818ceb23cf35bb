// References of APIs as readers see them: Docker's description, and a small one that has what Docker's lacks.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { root, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

const shots = process.env.RECTO_SCREENSHOTS;
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" };

const pets = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [
    {
      url: "https://{region}.example.com",
      variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where the pets are." } },
    },
  ],
  paths: {
    "/pets/{id}": {
      put: {
        operationId: "putPet",
        summary: "Change a pet",
        tags: ["pets"],
        security: [{ login: ["write"] }],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } },
          { name: "old", in: "query", deprecated: true, schema: { type: "string" } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Pet" },
              examples: {
                cat: { summary: "A cat", value: { kind: "cat", name: "Tom" } },
                dog: { summary: "A dog", value: { kind: "dog", name: "Rex" } },
              },
            },
            "application/xml": { schema: { type: "string" }, example: "<pet/>" },
          },
        },
        responses: {
          200: {
            description: "Changed",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
          },
          404: {
            description: "None",
            content: { "application/json": { example: { message: "There is no such pet." } } },
          },
        },
        callbacks: {
          onMove: {
            "{$request.query.url}": {
              post: { summary: "The pet has moved", responses: { 200: { description: "ok" } } },
            },
          },
        },
      },
      delete: {
        summary: "Remove a pet",
        tags: ["pets"],
        deprecated: true,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 204: { description: "Gone" } },
      },
    },
  },
  webhooks: {
    petBorn: {
      post: {
        summary: "A pet was born",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Cat" } } } },
        responses: { 200: { description: "ok" } },
      },
    },
  },
  components: {
    securitySchemes: {
      login: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://example.com/authorize",
            tokenUrl: "https://example.com/token",
            scopes: { write: "Change pets" },
          },
        },
      },
    },
    schemas: {
      Pet: {
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
        discriminator: {
          propertyName: "kind",
          mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
        },
      },
      Cat: {
        type: "object",
        required: ["kind"],
        properties: {
          kind: { type: "string" },
          born: { type: "string", format: "date", readOnly: true },
          secret: { type: "string", writeOnly: true },
          lives: { type: "integer", minimum: 1, maximum: 9 },
          mother: { $ref: "#/components/schemas/Cat" },
        },
      },
      Dog: {
        type: "object",
        properties: {
          kind: { type: "string" },
          home: { type: "object", properties: { street: { type: "string", pattern: "^[A-Z]" } } },
        },
      },
    },
  },
};

describe("references of APIs", () => {
  let server, browser, docker, home;

  before(async () => {
    server = await startRecto();
    const texts = {
      docker: gunzipSync(await readFile(join(root, "internal/engine/oas/testdata/docker.yaml.gz"))).toString(),
      pets: JSON.stringify(pets),
    };
    const addresses = {};
    for (const [name, text] of Object.entries(texts)) {
      await server.api("PUT", `/v1/orgs/${server.organization}/openapi/${name}`, { source: { text } });
      const space = await server.space(name, { Welcome: "Hello." });
      await server.api("POST", `/v1/spaces/${space}/content`, {
        changes: [
          {
            operation: "insert_page",
            title: "API",
            type: "computed",
            computed: {
              type: "builtin:openapi",
              props: { models: true, grouping: name === "docker" ? "by-operation" : "by-tag" },
              dependencies: { spec: { ref: { kind: "openapi", spec: name } } },
            },
          },
        ],
      });
      ({ url: addresses[name] } = await server.site(name, [space]));
    }
    ({ docker, pets: home } = addresses);
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function open(address, options = desktop) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(address);
    await page.locator(".block-openapi.is-described").first().waitFor();
    return { page, context, problems };
  }

  const look = async (page, name, options = {}) =>
    shots && page.screenshot({ path: join(shots, `${name}.png`), ...options });
  const height = (page) => page.evaluate(() => document.documentElement.scrollHeight);

  test("a large operation is short, with its example at its top and beside it", async () => {
    const { page, context, problems } = await open(`${docker}/api/container/containercreate`);
    assert.ok(await height(page) < 9000, `the page is ${await height(page)} px high`);
    await look(page, "docker");
    const examples = page.locator(".openapi-examples");
    const box = await examples.boundingBox();
    assert.ok(box.y < 500 && box.x > 800, `the examples are at ${box.x}, ${box.y}`);
    await page.evaluate(() => scrollTo(0, 2500));
    await page.waitForFunction(() => scrollY === 2500);
    assert.ok((await examples.boundingBox()).y > 0, "the examples have scrolled away");
    await look(page, "docker-down");
    assert.equal(await page.locator(".tree-item .method-badge.method-post").first().textContent(), "POST");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("an address of a member opens what folds it", async () => {
    const { page, context } = await open(
      `${docker}/api/container/containercreate#containercreate.body.HostConfig.RestartPolicy.Name`,
    );
    const member = page.locator("[id='containercreate.body.HostConfig.RestartPolicy.Name']");
    await member.waitFor();
    assert.ok(
      await page.evaluate(() => document.querySelector(":target").getBoundingClientRect().top < innerHeight),
      "it is not in view",
    );
    const closed = page.locator(".member-fold:not([open]) > summary").first();
    await closed.focus();
    await page.keyboard.press("Enter");
    await page.locator(".member-fold[open] .members .member").first().waitFor();
    await look(page, "docker-open");
    await context.close();
  });

  test("choices are tabs, and what goes one way only is shown that way", async () => {
    const { page, context, problems } = await open(`${home}/api/pets`);
    await look(page, "pets", { fullPage: true });
    const operation = page.locator(".block-openapi").first();
    const rest = operation.locator(".openapi-rest");
    assert.ok(await page.locator("[id='putpet.body.1.lives']").isVisible());
    assert.equal(await page.locator("[id='putpet.body.1.born']").count(), 0, "what is read only is in the request");
    assert.equal(await page.locator("[id='putpet.200.1.secret']").count(), 0, "what is write only is in the response");
    await rest.getByRole("tab", { name: "Dog", exact: true }).first().click();
    assert.ok(await page.locator("[id='putpet.body.2.home']").isVisible());
    assert.match(await rest.textContent(), /authorization code, authorize at https:\/\/example\.com\/authorize/);
    assert.match(await rest.textContent(), /onMove POST/);
    for (const name of ["curl", "Java", "PHP", "Ruby", "C#", "A cat · application/json", "404"]) {
      assert.equal(
        await operation.locator(".openapi-examples").getByRole("tab", { name, exact: true }).count(),
        1,
        name,
      );
    }
    assert.equal(await page.locator(".outline-list .method-badge").first().textContent(), "PUT");
    assert.deepEqual(problems, []);
    const markdown = await (await fetch(`${home}/api/pets.md`)).text();
    assert.match(markdown, /`PUT \/pets\/\{id\}`/);
    assert.doesNotMatch(markdown, /<details|\{% tab|openapi-/);
    await context.close();
  });

  test("the name of a model leads to the model, also from one model to another", async () => {
    const { page, context, problems } = await open(`${home}/api/pets`);
    await page
      .locator("[id='putpet.body.1.mother'] > .member-line")
      .getByRole("link", { name: "Cat", exact: true })
      .click();
    await page.waitForURL(`${home}api/models#model-Cat`);
    await page.locator("[id='model-Cat.lives']").waitFor();
    assert.ok(
      await page.evaluate(() => document.querySelector(":target").getBoundingClientRect().top < innerHeight),
      "it is not in view",
    );
    assert.equal(
      await page.locator("[id='model-Cat.mother'] > .member-line a.link").getAttribute("href"),
      "#model-Cat",
    );
    assert.match(await (await fetch(`${home}/api/pets.md`)).text(), /`mother` \[Cat\]\(models\.md#model-cat\)/i);
    assert.equal(
      await page.locator("[id='model-Cat.kind'] a.link:not(.member-anchor)").count(),
      0,
      "what is no model is a link",
    );
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("search finds an operation by its path and method", async () => {
    const { page, context } = await open(`${docker}/api/container/containercreate`);
    await page.locator(".search-button").click();
    for (const [text, want] of [
      ["POST /containers/create", "containercreate"],
      ["/containers/create", "containercreate"],
      ["delete /containers/{id}", "containerdelete"],
      ["/v1.56/containers/abc/json", "containerinspect"],
    ]) {
      await page.getByRole("combobox").fill(text);
      await page.waitForFunction(
        (end) => document.querySelector(".hit")?.getAttribute("href")?.split("#")[0].endsWith(`/${end}`),
        want,
      );
    }
    await context.close();
  });

  test("pages are light", async () => {
    const { page, context } = await open(`${home}/api/pets`);
    const sources = await page.evaluate(() => [...document.scripts].map((script) => script.src).filter(Boolean));
    let size = 0;
    for (const source of sources) size += gzipSync(Buffer.from(await (await fetch(source)).arrayBuffer())).length;
    assert.ok(size < 15 << 10, `the scripts of a page have ${size} bytes`);
    await context.close();
  });

  for (const [size, options] of Object.entries({ desktop, phone })) {
    test(`everybody can use it: ${size}`, async () => {
      for (const address of [
        `${home}/api/pets`,
        `${home}/api/models`,
        `${home}/api/webhooks`,
        `${docker}/api/container/containercreate`,
      ]) {
        const { page, context, problems } = await open(address, options);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${address} is wider than its window`,
        );
        assert.deepEqual(await seriousFindings(page), [], address);
        await look(page, `${size}-${address.split("/").at(-1)}`);
        assert.deepEqual(problems, []);
        await context.close();
      }
    });
  }
});
