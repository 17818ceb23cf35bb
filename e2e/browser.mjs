// The browser under test is the machine's Chromium, started without everything that would call home.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Starts Chromium. hosts are rules for finding names that no name server has, such as "MAP docs.test:443
 * 127.0.0.1:8443".
 */
export function launch({ hosts = "" } = {}) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(hosts ? [`--host-resolver-rules=${hosts}`] : []),
    ],
  });
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Runs axe-core in the page, or in what the selector within names, and returns findings of serious or critical impact,
 * one line each: its rules but those of without, or those of only.
 */
export async function seriousFindings(page, { within = "html", without = [], only = [] } = {}) {
  // Of what passes only the number counts, so axe need not describe it.
  const options = {
    resultTypes: ["violations"],
    runOnly: only.length ? { type: "rule", values: only } : { type: "tag", values: standards },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  // The page's Content-Security-Policy forbids inline scripts, so axe goes in through the debugger.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axeSource });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then((r) => JSON.stringify({ checked: r.passes.length, bad: r.violations }))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(`axe-core failed: ${JSON.stringify(exceptionDetails)}`);
  const { checked, bad } = JSON.parse(result.value);
  if (checked < (only.length || 10)) throw new Error(`axe-core checked only ${checked} rules: it did not see the page`);
  return bad
    .filter((finding) => finding.impact === "serious" || finding.impact === "critical")
    .map(
      (finding) =>
        `${finding.impact} ${finding.id}: ${finding.nodes
          .map((node) => node.target.join(" ") + " " + (node.failureSummary ?? "").replaceAll("\n", " "))
          .slice(0, 4)
          .join(" | ")}`,
    );
}
