/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Where `npm run dev` finds a running server; the session cookie goes along, since the browser sees one origin.
const server = process.env.RECTO_SERVER ?? "http://127.0.0.1:8080";
const passed = { target: server, changeOrigin: false };

export default defineConfig({
  base: "/app/",
  plugins: [react()],
  build: {
    outDir: "dist",
    // Names come from contents, so that browsers keep files for good and equal sources make equal bytes.
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
  },
  server: {
    proxy: { "/v1": passed, "/signin": passed, "/signout": passed, "/account": passed, "/-/": passed, "/sites": passed },
  },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"] },
});
