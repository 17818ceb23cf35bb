import { describe, expect, it } from "vitest";
import { basic } from "./basic";
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

  it("has what the first screens say in the part that they load", () => {
    const sources = import.meta.glob("../{home,inbox,palette,shell,look}/*.{ts,tsx}", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const first = Object.entries(sources as Record<string, string>).filter(([path]) => !path.includes(".test."));
    const used = first.flatMap(([path, source]) =>
      [...source.matchAll(/\bt\(["`]([\w-]+)\./g)].map((match) => ({ path, part: match[1]! })),
    );
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter(({ part }) => !basic.includes(part))).toEqual([]);
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
