// How the script is built that gives scripts of integrations the Web's interfaces: one classic script.
import { defineConfig, type Plugin } from "vite";
import { gzipSync } from "fflate";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../internal/engine/script", import.meta.url));

// packed keeps the script compressed, with the same bytes on every machine.
function packed(): Plugin {
  return {
    name: "recto:packed",
    apply: "build",
    closeBundle() {
      // Modules are strict, and the bundle does not say so.
      const script = Buffer.concat([Buffer.from('"use strict";'), readFileSync(`${folder}/web.js`)]);
      writeFileSync(`${folder}/web.js.gz`, gzipSync(script, { level: 9, mtime: 0 }));
      rmSync(`${folder}/web.js`);
    },
  };
}

export default defineConfig({
  plugins: [packed()],
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: "es2022",
    reportCompressedSize: false,
    lib: { entry: "src/runtime/index.ts", formats: ["iife"], name: "web", fileName: () => "web.js" },
  },
});
