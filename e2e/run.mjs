// Runs the browser and client tests, three files at a time: each waits for a third of its time or more. A browser on a
// busy machine is late now and then: files that fail are run once more, alone, and named. What fails again has failed.
// Files that the command line names are run alone.
import { readdirSync } from "node:fs";
import { run } from "node:test";
import { tap } from "node:test/reporters";

const timeout = 240_000;
const here = new URL(".", import.meta.url);
const testsIn = (folder) =>
  readdirSync(new URL(folder, here))
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => folder + name);

/** Runs files, prints what they say, and returns those that failed. */
async function failing(files, concurrency) {
  const failed = new Set();
  const stream = run({ files, concurrency, timeout, cwd: new URL(".", here).pathname });
  stream.on("test:fail", ({ file, details, todo }) => todo === undefined && details && failed.add(file));
  for await (const text of stream.compose(tap)) process.stdout.write(text);
  return [...failed].filter(Boolean);
}

const named = process.argv.slice(2);
let failed = await failing(named.length > 0 ? named : [...testsIn("./"), ...testsIn("./client/")], 3);
if (failed.length > 0) {
  console.log(`# Once more, alone: ${failed.join(", ")}`);
  failed = await failing(failed, 1);
  console.log(failed.length > 0 ? `# Failed twice: ${failed.join(", ")}` : "# Passed at the second try");
}
process.exitCode = failed.length > 0 ? 1 : 0;
