// How a text runs: as most of its letters do, and where it has none, as its language does. Published sites ask the
// same.

// The scripts in use that run from right to left (ISO 15924).
const scripts = new Set(["Arab", "Aran", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Samr", "Mand"]);
const backward =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Samaritan}\p{Script=Mandaic}]/u;
const letter = /\p{L}/u;
// So many letters tell it.
const enough = 400;

export type Direction = "ltr" | "rtl";

function ofLanguage(tag: string): Direction {
  try {
    return scripts.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

// directionOf returns how texts in a language run, as HTML's attribute dir has it.
export function directionOf(language: string | undefined, ...texts: (string | undefined)[]): Direction {
  let [forth, back] = [0, 0];
  for (const each of texts.join(" ")) {
    if (!letter.test(each)) continue;
    if (backward.test(each)) back++;
    else forth++;
    if (forth + back >= enough) break;
  }
  if (forth + back === 0) return ofLanguage(language ?? "");
  return back > forth ? "rtl" : "ltr";
}
