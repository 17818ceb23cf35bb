// The last part of a site's address: a-z, 0-9 and hyphens.
export const addressPattern = "[a-z0-9]([a-z0-9\\-]{0,98}[a-z0-9])?";

// addressFrom makes one of a title; "docs" where nothing of it can stand in an address.
export function addressFrom(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || "docs";
}
