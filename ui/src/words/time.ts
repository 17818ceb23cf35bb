// Moments in words: "5 minutes ago", "12 March". The language is the one that is spoken.
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// ago says how long it is since a moment; what is older than a week has its date.
export function ago(moment: string, now = Date.now(), language = document.documentElement.lang || "en"): string {
  const at = new Date(moment);
  const since = Math.max(0, now - at.getTime());
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (since < minute) return words.format(0, "second");
  if (since < hour) return words.format(-Math.floor(since / minute), "minute");
  if (since < day) return words.format(-Math.floor(since / hour), "hour");
  if (since < 7 * day) return words.format(-Math.floor(since / day), "day");
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "long", ...year }).format(at);
}

// exactly is a moment in full, for a tooltip.
export function exactly(moment: string, language = document.documentElement.lang || "en"): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }).format(new Date(moment));
}
