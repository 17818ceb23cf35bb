// Where a document that is drawn is from, and by that what its references are called.
import { queryOptions, useQueries } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { api, taken } from "../api/client";
import { charactersOf } from "../look/characters";
import { userOf } from "../people/Somebody";
import { type Page, space as spaceOf } from "../space/queries";
import { t } from "../words/words";
import type { Ref } from "./node";

// DocPlace says where what is drawn is from: the newest revision first, since what is named may be in one alone.
export const DocPlace = createContext<{ space: string; revisions: (string | undefined)[] } | null>(null);

// Named is what is known of where a reference leads. icon is a name of the dialect's, emoji a character.
export type Named = { title: string; description?: string; icon?: string; emoji?: string };

// A revision never changes, so what was read of one stays good.
const pagesAt = (space: string, revision: string) =>
  queryOptions({
    queryKey: ["spaces", space, "revisions", revision, "pages"],
    staleTime: Infinity,
    queryFn: async (): Promise<Page[]> => {
      const params = { path: { spaceId: space, revisionId: revision }, query: { metadata: false } as const };
      return (await taken(api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/pages", { params }))).pages ?? [];
    },
  });

// fileAt asks for a file as it is at a revision.
export const fileAt = (space: string, revision: string, file: string) =>
  queryOptions({
    queryKey: ["spaces", space, "revisions", revision, "file", file],
    staleTime: Infinity,
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/files/{fileId}", {
          params: { path: { spaceId: space, revisionId: revision, fileId: file } },
        }),
      ),
  });

const reusableAt = (space: string, revision: string, id: string) =>
  queryOptions({
    queryKey: ["spaces", space, "revisions", revision, "reusable", id],
    staleTime: Infinity,
    queryFn: () =>
      taken(
        api.GET("/v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}", {
          params: { path: { spaceId: space, revisionId: revision, reusableContentId: id } },
        }),
      ),
  });

function pageIn(pages: Page[], id: string): Page | null {
  for (const page of pages) {
    const found = page.id === id ? page : pageIn(page.pages ?? [], id);
    if (found) return found;
  }
  return null;
}

function ofPage(page: Page | null, anchor: string | undefined): Named | null {
  if (!page) return null;
  const { icon, emoji, description } = page as Page & Pick<Named, "icon" | "emoji" | "description">;
  const title = page.title || t("tree.untitled");
  return {
    title: anchor ? `${title} #${anchor}` : title,
    ...(icon ? { icon } : {}),
    ...(emoji ? { emoji: charactersOf(emoji) } : {}),
    ...(description ? { description } : {}),
  };
}

// asking is what tells the name of what a reference leads to, in the order in which it counts.
function asking(place: { space: string; revisions: (string | undefined)[] }, ref: Ref) {
  const { space } = place;
  const at = [...new Set(place.revisions.filter((each) => each !== undefined))];
  const here = !ref.space || ref.space === space;
  const quiet = { retry: false } as const;
  if (ref.kind === "user" && ref.user)
    return [
      {
        ...userOf(ref.user),
        ...quiet,
        select: (user: { displayName: string } | null): Named | null =>
          user && { title: user.displayName, icon: "user" },
      },
    ];
  if (ref.kind === "space" && ref.space)
    return [{ ...spaceOf(ref.space), ...quiet, select: (found: { title: string }): Named => ({ title: found.title }) }];
  if (!here) return [];
  if ((ref.kind === "page" || ref.kind === "anchor") && ref.page) {
    return at.map((revision) => ({
      ...pagesAt(space, revision),
      ...quiet,
      select: (pages: Page[]) => ofPage(pageIn(pages, ref.page ?? ""), ref.anchor),
    }));
  }
  if (ref.kind === "file" && ref.file)
    return at.map((revision) => ({
      ...fileAt(space, revision, ref.file ?? ""),
      ...quiet,
      select: (file: { name: string }): Named => ({ title: file.name, icon: "file" }),
    }));
  if (ref.kind === "reusable-content" && ref.reusableContent) {
    return at.map((revision) => ({
      ...reusableAt(space, revision, ref.reusableContent ?? ""),
      ...quiet,
      select: (found: { title: string }): Named => ({ title: found.title }),
    }));
  }
  return [];
}

// useNamed returns what a reference leads to is called: "…" while that is asked, and how it is written where nobody
// knows.
export function useNamed(ref: Ref | undefined): Named {
  const place = useContext(DocPlace);
  const asked = useQueries({
    queries: (place && ref ? asking(place, ref) : []) as {
      queryKey: readonly string[];
      select: (data: unknown) => Named | null;
    }[],
  });
  const found = asked.find((each) => each.data)?.data;
  if (found) return found;
  if (asked.some((each) => each.isPending)) return { title: "…" };
  if (ref?.kind === "anchor" && !ref.page) return { title: `#${ref.anchor ?? ""}`, icon: "hashtag" };
  if (asked.length > 0) return { title: t("editor.ref.missing") };
  return {
    title: ref?.url ?? ref?.tag ?? ref?.anchor ?? ref?.page ?? ref?.file ?? ref?.user ?? ref?.reusableContent ?? "",
  };
}
