// How the script is built that the server applies steps with: one classic script, which needs no browser.
import { defineConfig, type Plugin } from "vite";
import { gzipSync } from "fflate";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../internal/engine/steps", import.meta.url));

// packed keeps the script compressed, with the same bytes on every machine.
function packed(): Plugin {
  return {
    name: "recto:packed",
    apply: "build",
    closeBundle() {
      writeFileSync(`${folder}/script.js.gz`, gzipSync(readFileSync(`${folder}/script.js`), { level: 9, mtime: 0 }));
      rmSync(`${folder}/script.js`);
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
    lib: { entry: "src/steps/index.ts", formats: ["iife"], name: "steps", fileName: () => "script.js" },
  },
});
