import { describe, expect, it } from "vitest";
import de from "./de.json";
import en from "./en.json";
import { preferred, speak, t } from "./words";

// arguments_ lists the names between braces, plural and select forms included.
const argumentsOf = (message: string) => [...message.matchAll(/\{\s*(\w+)/g)].map((match) => match[1]).sort();

describe("words", () => {
  it("has every key in every language, in order", () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    expect(Object.keys(en)).toEqual(Object.keys(en).toSorted());
  });

  it("takes the same arguments in every language", () => {
    for (const [key, message] of Object.entries(en)) {
      expect(argumentsOf(de[key as keyof typeof de]), key).toEqual(argumentsOf(message));
    }
  });

  it("speaks the language that is read", async () => {
    expect(preferred(["fr-CH", "de-AT", "en"])).toBe("de");
    expect(preferred(["fr"])).toBe("en");
    await speak("de");
    expect(t("home.title")).toBe(de["home.title"]);
    await speak("en");
    expect(t("home.title")).toBe(en["home.title"]);
  });
});
