// The dates of news, as readers see them.

// dayOf returns the day of a moment at midnight, as the document JSON has it, and any other text as it is.
export const dayOf = (date: string): string => date.replace(/T00:00:00(\.000)?Z$/, "");

// day says a date of the form YYYY-MM-DD, or the moment at which it begins, in words; anything else as it is.
export function day(moment: string, format: string, language = document.documentElement.lang || "en"): string {
  const date = dayOf(moment);
  const at = new Date(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(at.getTime()) || format === "numeric") return date;
  return new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: format === "short" ? "short" : "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(at);
}

// today is the date of now, where the person is.
export function today(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
