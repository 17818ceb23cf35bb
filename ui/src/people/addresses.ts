// Addresses as people paste them: one a line, or with commas, semicolons and names around them.

// Row is one address, or what was to be one.
export type Row = { email: string; fault?: "address" | "twice" };

const plausible = /^[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:".]+$/;

// rowsOf reads pasted addresses. What is no address stays as it is, with what is wrong with it.
export function rowsOf(text: string): Row[] {
  const seen = new Set<string>();
  return text
    .split(/[\n,;]+/)
    .flatMap((part) => {
      const named = /<([^<>]+)>/.exec(part)?.[1];
      if (named !== undefined) return [named.trim()];
      const words = part.trim().split(/\s+/).filter(Boolean);
      // Several in a line with nothing but spaces between them.
      return words.length > 1 && words.every((word) => word.includes("@")) ? words : [words.join(" ")];
    })
    .filter(Boolean)
    .map((email): Row => {
      if (!plausible.test(email)) return { email, fault: "address" };
      const folded = email.toLowerCase();
      if (seen.has(folded)) return { email, fault: "twice" };
      seen.add(folded);
      return { email };
    });
}
