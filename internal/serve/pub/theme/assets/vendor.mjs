// Copies the third-party files that published sites serve out of npm packages: fonts, icons, the math and diagram
// scripts, each with its licence. Run by `make generate` as: node internal/serve/pub/theme/assets/vendor.mjs
// Nothing is installed: each package is fetched without what it needs, checked against its hash, and thrown away again.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const packages = {
  "@fontsource-variable/fira-code": [
    "5.3.0",
    "ZhvHeknlicraKVSJBa1NrJnXDVByUkC407zwgELYfmnx3p9g8vwIPfQCxx8YD3K7dAeCdLuHJOHlpMfRsIcApQ==",
  ],
  "@fontsource-variable/inconsolata": [
    "5.3.0",
    "3sJ98aPp9rBWhlt+niNQaqaRd5vKo5M5unVWRm4L8g3E73pi5P8DIS4ZuPAtYi0bugDllZRSxrtfPxM17+P6gg==",
  ],
  "@fontsource-variable/inter": [
    "5.3.0",
    "OupL48va4JNofb97w6NYeF9S7W/kHNKM0Er8Dem5nqi4jeOLrVJDoE8tZEpnMJmtkvNbB1EIPPwHcdkF6b1oUA==",
  ],
  "@fontsource-variable/jetbrains-mono": [
    "5.3.0",
    "F32xpS2NsGYoQi2ADSkKTgpJj7ozajsGgDJ8woTnqjmIB+dxDIqImjl4pXZVEExu8UFZ2ndhmX18EBS/hdz3Lw==",
  ],
  "@fontsource-variable/merriweather": [
    "5.3.0",
    "wK7S4NtPXWUWll/sZCdub93pqSCnFkpKFbnoOE8fh+9Ut6JFjgkc9UlBxHJ0RVMkDpoWwGwMwYYTMvd3G9aAXA==",
  ],
  "@fontsource-variable/noto-sans": [
    "5.3.0",
    "e3ZuxzY9AL2psXPZlhwhnYrHUHv6PMoyK9MQ7croF0CUgURLqu9EMjW7q2FgVLwij1tjLsIHQrnwQ8aUcg4BiA==",
  ],
  "@fontsource-variable/open-sans": [
    "5.3.0",
    "VOfhZfLIOBVa6K/dTEu7scqQXYdGa4jBX8quFpQ0S6574B+W2EOBJf9PkqyVtMEI7WWIWNEbpvPc3vY1mN2mmQ==",
  ],
  "@fontsource-variable/overpass": [
    "5.3.0",
    "HviVvVvKCwhXjxM61GjnCW2cKoeEWFkoBANaArzIHliC+7mV4lmKKIBAa0O7E5ISHnkV3sihgOHXxzpnsbP3Xg==",
  ],
  "@fontsource-variable/raleway": [
    "5.3.0",
    "aSV2k+V6Zz+od0dHpBOzkVxEzmgEdiXcxDfant39jLOx+T89dielQRrZylukwK3Fp+FY255gPqz67ruOfs1rqA==",
  ],
  "@fontsource-variable/roboto": [
    "5.3.0",
    "BoaaZiQf8fgtxv07KXkTwx1bKz/EoqIlTXq2OOKKXINxp6qXWdnlChqV+hSaDANS49yyUASFl3OVBMMDTCIHFA==",
  ],
  "@fontsource-variable/roboto-mono": [
    "5.3.0",
    "h5r+KY/6qy8JEOj33JgcrFO81YAnvrc1EAwMpl/EPJLb2OIvOy0/jmB5M7qs7x/uXk5JUP5Ux4LrkeOK7faHkQ==",
  ],
  "@fontsource-variable/roboto-slab": [
    "5.3.0",
    "eByKAjLM9td0qsXCOZhlUGfhsjen//epd6/cAJOg+o73RtYBijrI1jz+lTp2X0ebwTCLmKB1+Kt/QiRMgmNPTw==",
  ],
  "@fontsource-variable/source-code-pro": [
    "5.3.0",
    "CxzAbqtNrQ6EQXTb9ovRZIRiOhFPcBQhNKla58K5UV6IMoL/ROkWxXDSBOa/frIDLuV4B5PLHI4R1e9SWVinYg==",
  ],
  "@fontsource-variable/source-sans-3": [
    "5.3.0",
    "dpi0GZk7EQe2tYpg6Q0Fx0OmUgnuGu+0rHPgtXqtKhglYmJuP7jZ12Mu1uN+NfRaJRY1Emn8AQJEWzmoZ4wa9g==",
  ],
  "@fontsource/dm-mono": [
    "5.3.0",
    "OINjI8C1S/wpchhQxl7njZdMn4+hnDCpQ4YtvvOpKNARo+0J8O1x1IcrChxNjHOhfVv1by8C/FQoy3hXK+C1Ug==",
  ],
  "@fontsource/fira-sans": [
    "5.3.0",
    "z1SKSG7eRhm3srlb7rQ3j77QP4TP7OFxCZ4wUWhCdt+3hOF9K0AyvybpAsz6+JWNcCVV7AqC7dbOT3e67P2r5A==",
  ],
  "@fontsource/ibm-plex-mono": [
    "5.3.0",
    "eTgnZjZEGk1QtD3ZstF+Vclo2HLAni8YMy34/DxllwZvyz1lR/1RF/xTiAquOBO7MvqBx8D2Ig2WCPMVfdZu7Q==",
  ],
  "@fontsource/ibm-plex-serif": [
    "5.3.0",
    "zwPfHB7EJbS5B8qnitPigJYzNdnt6PUeaoOA1gAAt//1pjpTVZN5sOU14NIAZ+C1xypL6GWsUG2VMYJW9bhJqQ==",
  ],
  "@fontsource/lato": [
    "5.3.0",
    "0WhF/4rhrw+ErIyneKvhHn2YAl+xf8GDtllgOgOzDmeaSlLQtjpChXaQOpWhG2BchQW0WJy2zLV12Hdg0ndOMw==",
  ],
  "@fontsource/poppins": [
    "5.3.0",
    "cms1nM7U6SN8epIV1WMVOV8VsA645aSm3wHfzIQnkk188U341ThbJGSl2Sv54V29gnDbT2arMPfLzvVIIVCceQ==",
  ],
  "@fontsource/space-mono": [
    "5.3.0",
    "FrpBMOVWn3PRdRHlrZWC55X3kZG/2BTH7SM5ZyS/bky3iKya2BturI5lk+t0RoDQL2JyHzURsVq/EisCsxpI5A==",
  ],
  katex: ["0.19.1", "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA=="],
  "lucide-static": [
    "1.62.0",
    "WBZA/m2PvkFpMGHDtsBck5P2A9G4ehLlYu4GwwICcmEm1BvYVgj00lCDxKRWLlbMlOibLaiwdQ88G5pHkSWgwA==",
  ],
  mermaid: ["11.17.2", "V6K3C8EBdEsPFZXSKMJe6ppQOENxuHARr9GvHX4hh47lAbhMRD9qf4oEK7LoaRQxULMa80/qt5gHO73aCleBBg=="],
  "simple-icons": [
    "16.37.0",
    "8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A==",
  ],
};

const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "vendor-"));
const from = (name, ...parts) => join(work, name, "package", ...parts);
const to = (...parts) => join(here, ...parts);

function fetchAll() {
  // One call for all, because npm takes longer to start than to fetch.
  const all = Object.entries(packages).map(([name, [version]]) => `${name}@${version}`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", work, ...all], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const [name, [version, hash]] of Object.entries(packages)) {
    const archive = join(work, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    if (createHash("sha512").update(readFileSync(archive)).digest("base64") !== hash)
      throw new Error(`${name}@${version} is not what it was`);
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
  }
}

function fresh(name) {
  mkdirSync(to(name), { recursive: true });
  for (const file of readdirSync(to(name))) {
    if (!file.endsWith(".gz")) rmSync(to(name, file)); // pack decides about those
  }
}

// Fonts: upright of the subsets that there are, italic of the standard font, since it is in running text. A variable
// font is one file a subset, named …-wght-…; another has one a weight. What a page loads of it is decided by fonts.go.
function fonts() {
  fresh("fonts");
  const subsets = ["latin", "latin-ext", "cyrillic"];
  const variable = {
    inter: [...subsets, "greek"],
    "jetbrains-mono": [...subsets, "greek"],
    roboto: subsets,
    "roboto-slab": subsets,
    "open-sans": subsets,
    "source-sans-3": subsets,
    raleway: subsets,
    merriweather: subsets,
    overpass: subsets,
    "noto-sans": subsets,
    "fira-code": subsets,
    "source-code-pro": subsets,
    "roboto-mono": subsets,
    inconsolata: ["latin", "latin-ext"],
  };
  for (const [family, names] of Object.entries(variable)) {
    for (const subset of names) {
      for (const style of family === "inter" ? ["normal", "italic"] : ["normal"]) {
        const file = `${family}-${subset}-wght-${style}.woff2`;
        cpSync(from(`@fontsource-variable/${family}`, "files", file), to("fonts", file));
      }
    }
    cpSync(from(`@fontsource-variable/${family}`, "LICENSE"), to("fonts", `LICENSE-${family}.txt`));
  }
  const weighted = {
    lato: [
      ["latin", "latin-ext"],
      [400, 700],
    ],
    poppins: [
      ["latin", "latin-ext"],
      [400, 500, 600, 700],
    ],
    "fira-sans": [subsets, [400, 600]],
    "ibm-plex-serif": [subsets, [400, 600]],
    "ibm-plex-mono": [subsets, [400, 600]],
    "space-mono": [
      ["latin", "latin-ext"],
      [400, 700],
    ],
    "dm-mono": [
      ["latin", "latin-ext"],
      [400, 500],
    ],
  };
  for (const [family, [names, weights]] of Object.entries(weighted)) {
    for (const subset of names) {
      for (const weight of weights) {
        const file = `${family}-${subset}-${weight}-normal.woff2`;
        cpSync(from(`@fontsource/${family}`, "files", file), to("fonts", file));
      }
    }
    cpSync(from(`@fontsource/${family}`, "LICENSE"), to("fonts", `LICENSE-${family}.txt`));
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
  pack(to("icons", "icons.txt.gz"), Buffer.from(lines.join("\n") + "\n"));
  cpSync(from("lucide-static", "LICENSE"), to("icons", "LICENSE-lucide.txt"));
  cpSync(from("simple-icons", "LICENSE.md"), to("icons", "LICENSE-simple-icons.txt"));
}

function compact(svg) {
  return svg.replace(/\s+/g, " ").replace(/> </g, "><").replace(/ \/>/g, "/>").trim();
}

// Math: the script, its style with font addresses left relative, and the woff2 fonts.
function math() {
  fresh("katex");
  pack(to("katex", "katex.min.js.gz"), readFileSync(from("katex", "dist", "katex.min.js")));
  cpSync(from("katex", "LICENSE"), to("katex", "LICENSE"));
  const css = readFileSync(from("katex", "dist", "katex.min.css"), "utf8");
  writeFileSync(to("katex", "katex.min.css"), css.replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]+"\)/g, ""));
  for (const file of readdirSync(from("katex", "dist", "fonts"))) {
    if (file.endsWith(".woff2")) cpSync(from("katex", "dist", "fonts", file), to("katex", file));
  }
}

// Keeps a large text compressed, which it also is within the program. Compressors differ, so the file is only written
// when what it holds changed.
function pack(packed, content) {
  if (!existsSync(packed) || !gunzipSync(readFileSync(packed)).equals(content)) {
    writeFileSync(packed, gzipSync(content, { level: 9 }));
  }
}

function diagrams() {
  mkdirSync(to("mermaid"), { recursive: true });
  pack(to("mermaid", "mermaid.min.js.gz"), readFileSync(from("mermaid", "dist", "mermaid.min.js")));
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
