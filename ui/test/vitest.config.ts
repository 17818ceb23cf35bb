// Tests that ask the program what it makes of real pages. They need one that is built: scripts/ui test sees to it.
import { defineConfig } from "vitest/config";
import { words } from "../words.plugin";

export default defineConfig({ plugins: [words()], test: { environment: "node", include: ["test/**/*.law.ts"] } });
