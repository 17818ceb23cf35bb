/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { gunzipSync, gzipSync } from "fflate";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { words } from "./words.plugin";

// Where `npm run dev` finds a running server; the session cookie goes along, since the browser sees one origin.
const server = process.env.RECTO_SERVER ?? "http://127.0.0.1:8080";
const passed = { target: server, changeOrigin: false };

// packed keeps text compressed, as browsers take it, in the program that embeds it. fflate makes the same bytes on
// every machine; the zlib of Node.js differs from one version to the next.
function packed(): Plugin {
  let directory = "";
  return {
    name: "recto:packed",
    apply: "build",
    configResolved: (config) => void (directory = join(config.root, config.build.outDir, config.build.assetsDir)),
    closeBundle() {
      for (const name of readdirSync(directory)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const file = join(directory, name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9, mtime: 0 }));
        rmSync(file);
      }
    },
  };
}

// unpacked makes modules of the texts that the program keeps packed.
function unpacked(): Plugin {
  return {
    name: "recto:unpacked",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".txt.gz")) return null;
      const text = new TextDecoder().decode(gunzipSync(readFileSync(id)));
      return { code: `export default ${JSON.stringify(text)};`, moduleType: "js", map: null };
    },
  };
}

export default defineConfig({
  base: "/app/",
  plugins: [unpacked(), react(), words(), packed()],
  build: {
    outDir: "dist",
    // Names come from contents, so that browsers keep files for good and equal sources make equal bytes.
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      output: {
        // Modules that screens share are files of a few lines by themselves, of which a screen would load hundreds.
        // What nearly all screens need, and what stands on nothing else, is joined, as far as home stays within its
        // budget.
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"] },
            { name: "icons", test: /lucide-react/, minShareCount: 2 },
            { name: "hooks", test: /node_modules[\\/]@base-ui[\\/]utils/, minShareCount: 2 },
            { name: "queries", test: /[\\/]src[\\/](api|words)[\\/]|queries\.ts$/, minShareCount: 10 },
            { name: "often", minShareCount: 32, maxModuleSize: 9_000 },
          ],
        },
        // Files that need each other run their modules in the order of the imports all the same.
        strictExecutionOrder: true,
      },
    },
  },
  server: {
    proxy: {
      "/v1": passed,
      "/signin": passed,
      "/signout": passed,
      "/account": passed,
      "/-/": passed,
      "/sites": passed,
    },
  },
  test: {
    environment: "jsdom",
    // One document for the files of a worker: making one for each took longer than all tests together.
    isolate: false,
    setupFiles: ["test/words.ts"],
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
  },
});
