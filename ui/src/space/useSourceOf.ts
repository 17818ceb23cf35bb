import { useQuery } from "@tanstack/react-query";
import type { Page } from "./queries";
import { contentSources, isMade, type Source, stored } from "./sources";
import { find } from "./tree";

// useSourceOf finds the source of content of a page that an integration makes, and the page as it is kept; undefined
// for other pages, and where the source does not work on the space.
export function useSourceOf(
  space: string,
  change: number | undefined,
  page: Page | undefined,
): { source: Source; kept: Page } | undefined {
  const sources = useQuery({ ...contentSources(space), staleTime: 60_000 }).data ?? [];
  const roots = useQuery({ ...stored(space, change), enabled: page !== undefined && sources.length > 0 }).data ?? [];
  const kept = page && find(roots, page.id);
  const source = kept && isMade(kept) ? sources.find(({ type }) => type === kept.computed?.type) : undefined;
  return kept && source && { source, kept };
}
