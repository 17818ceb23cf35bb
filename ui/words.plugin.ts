// Words as the app loads them: compiled, so that no browser reads ICU messages, and in two parts, so that home does not
// wait for what only spaces say.
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { basic } from "./src/words/basic";

const name = /^virtual:words\/([a-z]+)\/(basic|more)$/;

export function words(): Plugin {
  return {
    name: "recto:words",
    resolveId: (id) => (name.test(id) ? `\0${id}` : undefined),
    load(id) {
      const [, language, part] = name.exec(id.replace("\0", "")) ?? [];
      if (!id.startsWith("\0") || !language) return undefined;
      const file = fileURLToPath(new URL(`src/words/${language}.json`, import.meta.url));
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
      const wanted = all.filter(([key]) => basic.includes(key.split(".")[0]!) === (part === "basic"));
      return `export default ${JSON.stringify(Object.fromEntries(wanted.map(([key, message]) => [key, compileMessage(message)])))}`;
    },
  };
}
