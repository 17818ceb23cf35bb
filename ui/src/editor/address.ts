// Addresses as people type them. Others than of the web and of mail are none here.

// addressOf returns the address that a text is, null when it is none. A bare name of a host is one on the web.
export function addressOf(text: string): string | null {
  const url = text.trim();
  if (/\s/.test(url) || url.length > 2000) return null;
  if (/^https?:\/\/[^/?#]/i.test(url) || /^mailto:.+@/i.test(url)) return URL.canParse(url) ? url : null;
  if (/^[^@\s/:]+@[\w-]+(\.[\w-]+)+$/.test(url)) return `mailto:${url}`;
  if (/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?([/?#]|$)/i.test(url) && !url.endsWith(".md")) return `https://${url}`;
  return null;
}
