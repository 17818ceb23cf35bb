import { expect, test } from "vitest";
import { type Language, placeOf, shareOf, type Translation, works } from "./queries";

const translation = (id: string, space: string) => ({ id, source: { space, language: "en" } }) as Translation;
const language = (code: string, space: string, status = "completed", machine = "none") =>
  ({ language: code, space, status, machine: { status: machine } }) as Language;

test("finds what a space has to do with a translation", () => {
  const list = [translation("t1", "s1"), translation("t2", "s2")];
  const languages = new Map([["t2", [language("de", "s3")]]]);
  expect(placeOf("s2", list, languages)).toEqual({ translation: list[1] });
  expect(placeOf("s3", list, languages)).toEqual({ translation: list[1], language: "de" });
  expect(placeOf("s4", list, languages)).toBeUndefined();
});

test("says how far a language is", () => {
  expect(shareOf({ words: 4, wordsTranslated: 1 })).toBe(0.25);
  expect(shareOf({ words: 0, wordsTranslated: 0 })).toBe(1);
  expect(
    [language("de", "s"), language("de", "s", "running"), language("de", "s", "completed", "pending")].map(works),
  ).toEqual([false, true, true]);
});
