/// <reference types="vite/client" />

// Texts of the program that are stored packed come unpacked.
declare module "*.txt.gz" {
  const text: string;
  export default text;
}

// The words of a language, compiled: words.plugin.ts makes them.
declare module "virtual:words/*" {
  const messages: Record<string, import("@lingui/message-utils/compileMessage").CompiledMessage>;
  export default messages;
}
