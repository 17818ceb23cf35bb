// How an import is read, beside where it comes from: what made a folder, and what becomes of pages that are there.
import type { paths } from "../api/schema";
import type { Source } from "./sources";

type Query = NonNullable<paths["/v1/spaces/{spaceId}/content/upload"]["post"]["parameters"]["query"]>;

// Kind is a generator of sites that a folder of pages is of.
export type Kind = NonNullable<Query["from"]>;

// kinds are their names; plain folders have one that is translated.
export const kinds: Record<Exclude<Kind, "folders">, string> = {
  asciidoctor: "AsciiDoc",
  docusaurus: "Docusaurus",
  gitbook: "GitBook",
  hugo: "Hugo",
  jekyll: "Jekyll",
  mdbook: "mdBook",
  mintlify: "Mintlify",
  mkdocs: "MkDocs",
  nextra: "Nextra",
  sphinx: "Sphinx",
  starlight: "Starlight",
  vitepress: "VitePress",
};
export const kindNames = ["folders", ...Object.keys(kinds)] as Kind[];

// hasKind reports whether what comes from a source is a folder of pages, which generators write in different ways.
export const hasKind = (source: Source): boolean => source === "zip" || source === "folder";

// mirrors reports whether a space can be made the same as a source: what it lacks is known to be gone from it.
export const mirrors = (source: Source): boolean =>
  ["zip", "folder", "github-wiki", "notion", "confluence"].includes(source);

// Reading is how what comes is taken. kind is found out when it is missing; same makes the space the same as the
// source.
export type Reading = { kind?: Kind | undefined; same: boolean };

// Ask is what the API is told: with dryRun it only says what would become of pages.
export type Ask = { from?: Kind; mirror?: boolean; dryRun?: boolean };

// asked makes it of a reading, for a source that may not have all of it.
export function asked(source: Source, { kind, same }: Reading, sure: boolean): Ask {
  const mirror = same && mirrors(source);
  return {
    ...(kind && hasKind(source) ? { from: kind } : {}),
    ...(mirror ? { mirror, ...(sure ? {} : { dryRun: true }) } : {}),
  };
}
