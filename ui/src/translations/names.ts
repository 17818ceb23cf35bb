// Languages that the server takes, by their codes (internal/content/space).
export const codes =
  "ar bg cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt pt-br ro ru sk sl sv th tr uk vi yue zh".split(
    " ",
  );

// nameOf is what a language is called in the language that is spoken.
export const nameOf = (code: string): string =>
  new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" }).of(code) ?? code;

// ordered lists languages by their names.
export const ordered = (list: string[] = codes) =>
  list.map((code) => ({ code, name: nameOf(code) })).sort((a, b) => a.name.localeCompare(b.name));

export const percent = (share: number) =>
  new Intl.NumberFormat(document.documentElement.lang || "en", { style: "percent" }).format(share);
