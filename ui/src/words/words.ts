// The words of the interface: one ICU message for each key, one file for each language. English decides which keys
// there are, so a misspelt key does not compile; words.test.ts holds the other languages to the same keys and
// arguments.
import { setupI18n } from "@lingui/core";
import basic from "virtual:words/en/basic";
import type en from "./en.json";

export type Key = keyof typeof en;

const i18n = setupI18n({ locale: "en", messages: { en: basic } });

// languages are those with a file, by their BCP 47 tags.
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

// preferred returns the first language that the person reads and that there are words in, English when there is none.
export function preferred(read: readonly string[]): Language {
  for (const tag of read) {
    const language = languages.find((each) => each === tag.toLowerCase().split("-")[0]);
    if (language) return language;
  }
  return "en";
}

const parts = {
  en: { basic: () => Promise.resolve({ default: basic }), more: () => import("virtual:words/en/more") },
  de: { basic: () => import("virtual:words/de/basic"), more: () => import("virtual:words/de/more") },
};
let learned = false;

// speak loads the words of a language and sets it for everything that is drawn afterwards.
export async function speak(language: Language): Promise<void> {
  const [first, more] = await Promise.all([parts[language].basic(), learned ? parts[language].more() : undefined]);
  i18n.load(language, { ...first.default, ...more?.default });
  i18n.activate(language);
  document.documentElement.lang = language;
}

// learn loads the words of all screens but the first ones, in the language that is spoken.
export async function learn(): Promise<void> {
  if (learned) return;
  const language = i18n.locale as Language;
  i18n.load(language, (await parts[language].more()).default);
  learned = true;
}

// t returns the message of a key in the language that is spoken, with its arguments filled in.
export function t(key: Key, values?: Record<string, string | number>): string {
  return i18n._(key, values);
}
