// Copies the third-party files that published sites serve out of npm packages: fonts, icons, the math and diagram
// scripts, each with its licence. Run by `make generate` as: node internal/pub/assets/vendor.mjs
// Nothing is installed: each package is fetched alone, checked against its hash, and thrown away again.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const packages = {
  "@fontsource-variable/inter": ["5.3.0", "OupL48va4JNofb97w6NYeF9S7W/kHNKM0Er8Dem5nqi4jeOLrVJDoE8tZEpnMJmtkvNbB1EIPPwHcdkF6b1oUA=="],
  "@fontsource-variable/jetbrains-mono": ["5.3.0", "F32xpS2NsGYoQi2ADSkKTgpJj7ozajsGgDJ8woTnqjmIB+dxDIqImjl4pXZVEExu8UFZ2ndhmX18EBS/hdz3Lw=="],
  katex: ["0.19.1", "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA=="],
  "lucide-static": ["1.62.0", "WBZA/m2PvkFpMGHDtsBck5P2A9G4ehLlYu4GwwICcmEm1BvYVgj00lCDxKRWLlbMlOibLaiwdQ88G5pHkSWgwA=="],
  mermaid: ["11.17.2", "V6K3C8EBdEsPFZXSKMJe6ppQOENxuHARr9GvHX4hh47lAbhMRD9qf4oEK7LoaRQxULMa80/qt5gHO73aCleBBg=="],
  "simple-icons": ["16.37.0", "8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A=="],
};

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "vendor-"));
const from = (name, ...parts) => join(work, name, "package", ...parts);
const to = (...parts) => join(here, ...parts);

function fetchAll() {
  for (const [name, [version, hash]] of Object.entries(packages)) {
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`], { stdio: ["ignore", "ignore", "inherit"] });
    const archive = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")));
    if (createHash("sha512").update(readFileSync(archive)).digest("base64") !== hash) throw new Error(`${name}@${version} is not what it was`);
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
  }
}

function fresh(name) {
  rmSync(to(name), { recursive: true, force: true });
  mkdirSync(to(name), { recursive: true });
}

// Fonts: upright of every subset, italic where running text needs it.
function fonts() {
  fresh("fonts");
  const subsets = ["latin", "latin-ext", "cyrillic", "greek"];
  const faces = [
    ["inter", subsets, "normal"],
    ["inter", ["latin", "latin-ext", "cyrillic", "greek"], "italic"],
    ["jetbrains-mono", subsets, "normal"],
  ];
  for (const [family, names, style] of faces) {
    for (const subset of names) {
      const file = `${family}-${subset}-wght-${style}.woff2`;
      cpSync(from(`@fontsource-variable/${family}`, "files", file), to("fonts", file));
    }
    cpSync(from(`@fontsource-variable/${family}`, "LICENSE"), to("fonts", `LICENSE-${family}.txt`));
  }
}

// Icons: one text file, a line per icon: name, "s" (stroked) or "f" (filled), the inner SVG markup.
function icons() {
  const lines = [];
  for (const file of readdirSync(from("lucide-static", "icons")).sort()) {
    const svg = readFileSync(from("lucide-static", "icons", file), "utf8");
    const inner = svg.replace(/<!--[^]*?-->/g, "").replace(/^[^]*?<svg[^>]*>/, "").replace("</svg>", "");
    lines.push([file.replace(".svg", ""), "s", compact(inner)].join("\t"));
  }
  const brands = readFileSync(to("icons", "brands.txt"), "utf8");
  for (const line of brands.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, source = name] = line.split(/\s+/);
    const svg = readFileSync(from("simple-icons", "icons", `${source}.svg`), "utf8");
    lines.push([`brand:${name}`, "f", compact(svg.replace(/^[^]*?<\/title>/, "").replace("</svg>", ""))].join("\t"));
  }
  writeFileSync(to("icons", "icons.txt"), lines.join("\n") + "\n");
  cpSync(from("lucide-static", "LICENSE"), to("icons", "LICENSE-lucide.txt"));
  cpSync(from("simple-icons", "LICENSE.md"), to("icons", "LICENSE-simple-icons.txt"));
}

function compact(svg) {
  return svg.replace(/\s+/g, " ").replace(/> </g, "><").replace(/ \/>/g, "/>").trim();
}

// Math: the script, its style with font addresses left relative, and the woff2 fonts.
function math() {
  fresh("katex");
  cpSync(from("katex", "dist", "katex.min.js"), to("katex", "katex.min.js"));
  cpSync(from("katex", "LICENSE"), to("katex", "LICENSE"));
  const css = readFileSync(from("katex", "dist", "katex.min.css"), "utf8");
  writeFileSync(to("katex", "katex.min.css"), css.replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, ""));
  for (const file of readdirSync(from("katex", "dist", "fonts"))) {
    if (file.endsWith(".woff2")) cpSync(from("katex", "dist", "fonts", file), to("katex", file));
  }
}

// Diagrams: kept compressed, since nothing but a browser reads it. Compressors differ, so the file is only written
// when what it holds changed.
function diagrams() {
  mkdirSync(to("mermaid"), { recursive: true });
  const script = readFileSync(from("mermaid", "dist", "mermaid.min.js"));
  const packed = to("mermaid", "mermaid.min.js.gz");
  if (!existsSync(packed) || !gunzipSync(readFileSync(packed)).equals(script)) {
    writeFileSync(packed, gzipSync(script, { level: 9 }));
  }
  cpSync(from("mermaid", "LICENSE"), to("mermaid", "LICENSE"));
}

try {
  fetchAll();
  fonts();
  icons();
  math();
  diagrams();
} finally {
  rmSync(work, { recursive: true, force: true });
}
