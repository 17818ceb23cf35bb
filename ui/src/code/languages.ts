// The languages that code is highlighted in, each loaded when it is first needed. Others are plain.
import { StreamLanguage, type Language, type StreamParser } from "@codemirror/language";

type Load = () => Promise<Language>;

const stream = (load: () => Promise<StreamParser<unknown>>): Load => async () => StreamLanguage.define(await load());

type ClikeName = "c" | "cpp" | "csharp" | "java" | "kotlin" | "scala" | "dart" | "objectiveC";
const clike = (name: ClikeName): Load =>
  stream(async () => (await import("@codemirror/legacy-modes/mode/clike"))[name]);

const script =
  (jsx: boolean, typescript: boolean): Load =>
  async () =>
    (await import("@codemirror/lang-javascript")).javascript({ jsx, typescript }).language;

const loads: Record<string, Load> = {
  bash: stream(async () => (await import("@codemirror/legacy-modes/mode/shell")).shell),
  c: clike("c"),
  clojure: stream(async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure),
  cmake: stream(async () => (await import("@codemirror/legacy-modes/mode/cmake")).cmake),
  cpp: clike("cpp"),
  csharp: clike("csharp"),
  css: async () => (await import("@codemirror/lang-css")).css().language,
  dart: clike("dart"),
  diff: stream(async () => (await import("@codemirror/legacy-modes/mode/diff")).diff),
  docker: stream(async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile),
  elm: stream(async () => (await import("@codemirror/legacy-modes/mode/elm")).elm),
  erlang: stream(async () => (await import("@codemirror/legacy-modes/mode/erlang")).erlang),
  fsharp: stream(async () => (await import("@codemirror/legacy-modes/mode/mllike")).fSharp),
  go: stream(async () => (await import("@codemirror/legacy-modes/mode/go")).go),
  groovy: stream(async () => (await import("@codemirror/legacy-modes/mode/groovy")).groovy),
  haskell: stream(async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell),
  html: async () => (await import("@codemirror/lang-html")).html().language,
  http: stream(async () => (await import("@codemirror/legacy-modes/mode/http")).http),
  ini: stream(async () => (await import("@codemirror/legacy-modes/mode/properties")).properties),
  java: clike("java"),
  javascript: script(true, false),
  json: stream(async () => (await import("@codemirror/legacy-modes/mode/javascript")).json),
  julia: stream(async () => (await import("@codemirror/legacy-modes/mode/julia")).julia),
  kotlin: clike("kotlin"),
  lua: stream(async () => (await import("@codemirror/legacy-modes/mode/lua")).lua),
  markdown: async () => (await import("@codemirror/lang-markdown")).markdownLanguage,
  nginx: stream(async () => (await import("@codemirror/legacy-modes/mode/nginx")).nginx),
  objectivec: clike("objectiveC"),
  ocaml: stream(async () => (await import("@codemirror/legacy-modes/mode/mllike")).oCaml),
  perl: stream(async () => (await import("@codemirror/legacy-modes/mode/perl")).perl),
  php: async () => (await import("@codemirror/lang-php")).php({ plain: true }).language,
  powershell: stream(async () => (await import("@codemirror/legacy-modes/mode/powershell")).powerShell),
  protobuf: stream(async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf),
  python: stream(async () => (await import("@codemirror/legacy-modes/mode/python")).python),
  r: stream(async () => (await import("@codemirror/legacy-modes/mode/r")).r),
  ruby: stream(async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby),
  rust: stream(async () => (await import("@codemirror/legacy-modes/mode/rust")).rust),
  scala: clike("scala"),
  scss: stream(async () => (await import("@codemirror/legacy-modes/mode/css")).sCSS),
  sql: stream(async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL),
  swift: stream(async () => (await import("@codemirror/legacy-modes/mode/swift")).swift),
  toml: stream(async () => (await import("@codemirror/legacy-modes/mode/toml")).toml),
  tsx: script(true, true),
  typescript: script(false, true),
  xml: stream(async () => (await import("@codemirror/legacy-modes/mode/xml")).xml),
  yaml: stream(async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml),
};

const others: Record<string, string> = {
  "c#": "csharp",
  "c++": "cpp",
  cc: "cpp",
  clj: "clojure",
  conf: "ini",
  console: "bash",
  cs: "csharp",
  dockerfile: "docker",
  ex: "erlang",
  "f#": "fsharp",
  golang: "go",
  h: "c",
  hpp: "cpp",
  hs: "haskell",
  htm: "html",
  js: "javascript",
  jsonc: "json",
  json5: "json",
  jsx: "javascript",
  kt: "kotlin",
  md: "markdown",
  mjs: "javascript",
  ml: "ocaml",
  "objective-c": "objectivec",
  patch: "diff",
  pl: "perl",
  pro: "ini",
  properties: "ini",
  proto: "protobuf",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

const found = new Map<string, Language | null>();
const asked = new Map<string, Promise<void>>();

// nameOf returns what a language is called here, "" for one that is plain.
export function nameOf(syntax: string): string {
  // People write more behind it: "rust,ignore" in the Rust book.
  const word = /^[^\s,{]*/.exec(syntax.toLowerCase())![0];
  const name = Object.hasOwn(others, word) ? others[word]! : word;
  return Object.hasOwn(loads, name) ? name : "";
}

// language returns a language that is loaded, null for one that is plain or not there yet: load brings it.
export const language = (syntax: string): Language | null => found.get(nameOf(syntax)) ?? null;

// load loads a language, once; null when nothing would come of it. A language whose files cannot be had stays plain.
export function load(syntax: string): Promise<void> | null {
  const name = nameOf(syntax);
  if (!name || found.has(name)) return null;
  let coming = asked.get(name);
  if (!coming) {
    coming = loads[name]!().then(
      (made) => void found.set(name, made),
      () => void found.set(name, null),
    );
    asked.set(name, coming);
  }
  return coming;
}
