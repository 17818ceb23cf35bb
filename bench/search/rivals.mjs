// Asks Lunr, MiniSearch and Pagefind the queries of a file about the pages in it, and writes what each found.
//
//   node rivals.mjs input.json output.json
//
// Each is set up as its own documentation advises: titles and headings weigh more than text, the last word may be
// unfinished, and some letters may be wrong. The packages are those of the folder that it runs in.
import { createServer } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const [input, output] = process.argv.slice(2);
const { corpora, queries } = JSON.parse(await readFile(input, "utf8"));

/** The fields of a page that Lunr and MiniSearch weigh. */
const fields = (page) => ({
  id: page.id,
  title: page.title,
  headings: page.sections.map((section) => section.title).join("\n"),
  text: page.sections.map((section) => section.text).join("\n"),
});

function lunr(corpus, pages) {
  const lunr = require("lunr");
  const multilingual = corpus === "languages";
  if (multilingual) {
    require("lunr-languages/lunr.stemmer.support")(lunr);
    require("lunr-languages/lunr.multi")(lunr);
    for (const language of ["de", "fr", "es"]) require(`lunr-languages/lunr.${language}`)(lunr);
  }
  const index = lunr(function () {
    if (multilingual) this.use(lunr.multiLanguage("en", "de", "fr", "es"));
    this.ref("id");
    this.field("title", { boost: 10 });
    this.field("headings", { boost: 5 });
    this.field("text");
    for (const page of pages) this.add(fields(page));
  });
  // What its guide shows for searching while people type: words as they are count most, then beginnings, then typos.
  const ask = (text, beginnings) =>
    index
      .query((query) => {
        for (const term of lunr.tokenizer(text)) {
          query.term(term, { boost: 100 });
          if (beginnings)
            query.term(term, { boost: 10, usePipeline: false, wildcard: lunr.Query.wildcard.TRAILING });
          if (term.toString().length > 3) query.term(term, { boost: 1, editDistance: 1 });
        }
      })
      .map((hit) => hit.ref);
  return (text) => {
    try {
      return ask(text, true);
    } catch {
      // Among words such as sites/%1 it finds beginnings that are not in its index, and fails.
      return ask(text, false);
    }
  };
}

async function minisearch(corpus, pages) {
  const { default: MiniSearch } = await import(pathToFileURL(require.resolve("minisearch")).href);
  const index = new MiniSearch({
    fields: ["title", "headings", "text"],
    searchOptions: { boost: { title: 4, headings: 2 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(pages.map(fields));
  return (text) => index.search(text).map((hit) => hit.id);
}

/** Serves a folder, since Pagefind reads its index over HTTP. */
async function serve(folder) {
  const server = createServer(async (request, response) => {
    try {
      response.end(await readFile(join(folder, new URL(request.url, "http://x").pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function pagefind(corpus, pages) {
  const builder = await import(pathToFileURL(join(process.cwd(), "node_modules/pagefind/lib/index.js")).href);
  const { index } = await builder.createIndex();
  const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const language = (page) => (corpus === "languages" ? page.id.split("/")[0] : "en");
  for (const page of pages) {
    const body = page.sections
      .map((section) => (section.title ? `<h2>${escape(section.title)}</h2>` : "") +
        section.text.split("\n").map((line) => `<p>${escape(line)}</p>`).join(""))
      .join("");
    const { errors } = await index.addHTMLFile({
      url: `/${page.id}.html`,
      content: `<html lang="${language(page)}"><head><title>${escape(page.title)}</title></head><body>` +
        `<h1>${escape(page.title)}</h1>${body}</body></html>`,
    });
    if (errors.length > 0) throw new Error(errors.join("\n"));
  }
  const folder = await mkdtemp(join(tmpdir(), "pagefind-"));
  await index.writeFiles({ outputPath: folder });
  const server = await serve(folder);
  const base = `http://127.0.0.1:${server.address().port}/`;
  const fetched = globalThis.fetch;
  globalThis.fetch = (address, ...more) =>
    fetched(String(address).replace(pathToFileURL(folder).href + "/", base), ...more);
  const engines = {};
  const of = async (wanted) => {
    if (engines[wanted]) return engines[wanted];
    globalThis.window ??= globalThis;
    globalThis.location ??= new URL(base);
    globalThis.document = { querySelector: () => ({ getAttribute: () => wanted }), currentScript: null };
    const made = await import(pathToFileURL(join(folder, "pagefind.js")).href + `?${wanted}`);
    await made.init();
    return (engines[wanted] = made);
  };
  const search = async (text, kind) => {
    const languages = { german: "de", french: "fr", spanish: "es", japanese: "ja", chinese: "zh-cn" };
    const engine = await of(languages[kind] ?? "en");
    const { results } = await engine.search(text);
    const found = [];
    for (const result of results.slice(0, 10))
      found.push((await result.data()).raw_url.slice(1).replace(/\.html$/, ""));
    return found;
  };
  search.close = async () => {
    globalThis.fetch = fetched;
    server.close();
    await builder.close();
    await rm(folder, { recursive: true });
  };
  return search;
}

const found = {};
for (const [name, make] of Object.entries({ Lunr: lunr, MiniSearch: minisearch, Pagefind: pagefind })) {
  found[name] = [];
  for (const [corpus, pages] of Object.entries(corpora)) {
    const search = await make(corpus, pages);
    for (const [at, query] of queries.entries()) {
      if (query.Corpus !== corpus) continue;
      found[name][at] = (await search(query.Text, query.Kind)).slice(0, 10);
    }
    await search.close?.();
  }
}
await writeFile(output, JSON.stringify(found));
