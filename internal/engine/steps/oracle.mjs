// Runs the script in Node.js, for fuzz_test.go: calls of its functions in, one JSON value a line, and what they answer
// out. The first argument is the script, packed.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const steps = new Function(`${gunzipSync(readFileSync(process.argv[2]))}\nreturn steps;`)();

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [name, ...values] = JSON.parse(line);
  let answer;
  try {
    answer = steps[name](...values) ?? null;
  } catch (error) {
    answer = { error: String(error) };
  }
  if (!process.stdout.write(`${JSON.stringify(answer)}\n`))
    await new Promise((resolve) => process.stdout.once("drain", resolve));
}
