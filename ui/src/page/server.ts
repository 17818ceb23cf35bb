// What the editing screen asks of the API: the page of a change request with the revision that it is of, and saving it.
// What the editor asks while one writes is in services.ts.
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { api, Failure, main, taken } from "../api/client";
import { changeRequests, spaces, users } from "../api/queries";
import { me } from "../change-request/draft";
import { bare, type JsonDocument } from "../editor/document";
import { metFailure } from "../shell/connection";
import { pages, space } from "../space/queries";
import { t } from "../words/words";
import type { Read } from "../source/faults";
import { draftsOf, type Draft, type Drafts } from "./drafts";
import type { Rich, Source } from "./forms";
import type { Mode } from "./mode";
import type { Loaded, Server } from "./saving";

export interface Place {
  space: string;
  // The number of the change request, undefined for main.
  change: number | undefined;
  page: string;
}

// branchOf names the change request that is written in, or main.
export const branchOf = ({ change }: Place): string => (change === undefined ? main : String(change));

export const pathOf = (place: Place) => ({ spaceId: place.space, changeRequestId: branchOf(place) });

// writing is what a write of content names. A change request has an older form of answers, too, main this one alone.
export const writing = (place: Place) => ({
  path: pathOf(place),
  query: place.change === undefined ? {} : { compat: "false" as const },
});

// writable says whether something in that status takes what is typed.
export const writable = (status: string): boolean => status === "draft" || status === "open" || status === "main";

// unnamed is true of a page that the app has made and nobody has given a title yet.
type About = { status: string; type: string; unnamed: boolean };

// The revision is read before the page: a page that is newer than it says is merged with itself, an older one would
// hide what was changed in between.
async function load(place: Place, format: "document" | "markdown") {
  const path = pathOf(place);
  const branch = await (place.change === undefined
    ? mainOf(place.space)
    : taken(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path } })));
  const page = await taken(
    api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
      params: { path: { ...path, pageId: place.page }, query: { format, computed: false, metadata: false } },
    }),
  );
  return { page, revision: branch.revision, about: { status: branch.status, type: page.type, unnamed: unnamed(page) } };
}

// mainOf asks for the main content as a branch that is written in: whether it may be, without a change request.
async function mainOf(id: string): Promise<{ revision: string; status: string }> {
  const { revision, editMode, permissions } = await taken(
    api.GET("/v1/spaces/{spaceId}", { params: { path: { spaceId: id } } }),
  );
  return { revision, status: editMode === "live" && permissions.edit ? "main" : "locked" };
}

// unnamed says whether a page has the title that the app gives to new pages, and the slug that comes of it.
export function unnamed({ title, slug }: { title: string; slug?: string | undefined }): boolean {
  const given = t("tree.untitled");
  return title === given && slug?.replace(/-\d+$/, "") === given.toLowerCase().replaceAll(" ", "-");
}

async function loadRich(place: Place): Promise<Loaded<Rich> & About> {
  const { page, revision, about } = await load(place, "document");
  const given = (page.document as JsonDocument | undefined) ?? { object: "document", nodes: [] };
  // Without keys, as the editor writes it: what nobody changed is the same.
  const document: JsonDocument = { ...given, nodes: given.nodes.map(bare) };
  return { title: page.title, document, revision, ...about };
}

async function loadSource(place: Place): Promise<Loaded<Source> & About> {
  const { page, revision, about } = await load(place, "markdown");
  return { markdown: page.markdown ?? "", revision, ...about };
}

// documentOf asks what a text in Markdown becomes.
export async function documentOf(space: string, markdown: string): Promise<JsonDocument | null> {
  const { document } = await taken(
    api.POST("/v1/spaces/{spaceId}/content/markdown", { params: { path: { spaceId: space } }, body: { markdown } }),
  );
  return (document as JsonDocument | undefined) ?? null;
}

// readMarkdown asks what is wrong in a text, and where its blocks begin.
export async function readMarkdown(space: string, markdown: string): Promise<Read> {
  const asked = api.POST("/v1/spaces/{spaceId}/content/markdown", {
    params: { path: { spaceId: space } },
    body: { markdown },
  });
  const { lines, faults } = await taken(asked);
  return { lines: lines ?? [], faults: faults ?? [] };
}

// Begun is all that writing a page begins with, in one of the two forms.
export type Begun = {
  user: string;
  // may is true of those who may write the page, and take part in its live session.
  may: boolean;
} & (
  | { mode: "rich"; loaded: Loaded<Rich> & About; left: Draft<Rich> | null; drafts: Drafts<Rich> }
  | {
      mode: "source";
      loaded: Loaded<Source> & About;
      left: Draft<Source> | null;
      drafts: Drafts<Source>;
      read: Read | null;
    }
);

// Pages that are not on the screen any more, whose saving goes on until all is sent or somebody writes them again.
const left = new Map<string, { end: () => Promise<void> }>();
const nameOf = (place: Place) => JSON.stringify([place.space, branchOf(place), place.page]);

// leave notes that the screen of a page is left.
export function leave(place: Place, saving: { end: () => Promise<void> }): void {
  left.set(nameOf(place), saving);
}

// begun asks for all that editing a page begins with: the page, and what this person typed here before and never saved.
// That decides the form. It is asked anew each time, since what is on the screen is no cache of it.
export const begun = (queries: QueryClient, place: Place, wanted: Mode) =>
  queryOptions({
    queryKey: [...changeRequests.one(place.space, branchOf(place)), "edit", place.page, wanted],
    queryFn: async (): Promise<Begun> => {
      // What is still sent is sent, and what cannot be is a draft then.
      await left.get(nameOf(place))?.end();
      left.delete(nameOf(place));
      const user = (await queries.ensureQueryData(me)).id;
      // Who may write it is asked anew: what was known may be of an earlier time.
      const about = queries.fetchQuery({ ...space(place.space), staleTime: 0 }).then(
        ({ permissions }) => permissions.edit,
        () => false,
      );
      const { drafts, left: draft } = await draftsOf({
        user,
        space: place.space,
        change: branchOf(place),
        page: place.page,
      });
      if (draft ? "document" in draft : wanted === "rich") {
        const loaded = await loadRich(place);
        return { user, mode: "rich", may: await about, loaded, left: draft as Draft<Rich> | null, drafts };
      }
      const loaded = await loadSource(place);
      const text = draft ? (draft as Draft<Source>).markdown : loaded.markdown;
      const read = await readMarkdown(place.space, text).catch(() => null);
      return { user, mode: "source", may: await about, loaded, left: draft as Draft<Source> | null, drafts, read };
    },
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

// While a tab is hidden, somebody else may sign in in another.
let hides = 0;
document.addEventListener("visibilitychange", () => hides++);

// A part of a change that updates a page.
type Update = {
  title?: string;
  slug?: string;
  document?: { document: unknown } | { markdown: string; complete: true };
};

// saverOf saves a page. What one person typed is not saved as another's who has signed in since.
function saverOf(queries: QueryClient, place: Place, user: string) {
  let doubtful = false;
  let seen = hides;
  const same = async () => {
    if (!doubtful && seen === hides) return;
    const until = hides;
    const now = await taken(api.GET("/v1/user"));
    if (now.id !== user) {
      void queries.invalidateQueries({ queryKey: users.me });
      throw new Failure(401, "");
    }
    doubtful = false;
    seen = until;
  };
  return async (base: string, update: Update, retitled: boolean) => {
    try {
      await same();
      const changes = [{ operation: "update_page" as const, page: place.page, ...update }];
      const answer = await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: writing(place),
          body: { revision: base, changes },
        }),
      );
      const { revision, parents } = answer as { revision: string; parents: string[] };
      if (place.change === undefined) {
        // Who reads it next gets what was written.
        void queries.invalidateQueries({ queryKey: spaces.page(place.space, place.page), refetchType: "none" });
        void queries.invalidateQueries({ queryKey: spaces.one(place.space), exact: true, refetchType: "none" });
      } else void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, place.change) });
      if (retitled) void queries.invalidateQueries({ queryKey: pages(place.space, place.change).queryKey });
      return { revision, parents };
    } catch (failure) {
      if (failure instanceof Failure && failure.status === 401) {
        doubtful = true;
        metFailure(failure, false);
      }
      // Who may not write it any more is told so, see useMay.
      if (failure instanceof Failure && failure.status === 403)
        void queries.invalidateQueries({ queryKey: spaces.one(place.space), exact: true });
      throw failure;
    }
  };
}

// richServer is the API as Saving asks it of the title and the document of a page. The slug follows the title when
// follow says so: an empty one is made of the title.
export function richServer(queries: QueryClient, place: Place, user: string, follow = false): Server<Rich> {
  const save = saverOf(queries, place, user);
  return {
    load: () => loadRich(place),
    save: (base, { title, document }) =>
      save(
        base,
        {
          ...(title === undefined ? {} : { title, ...(follow && { slug: "" }) }),
          ...(document === undefined ? {} : { document: { document } }),
        },
        title !== undefined,
      ),
  };
}

// The front matter and the title of a page, which the tree of pages shows.
const headOf = (markdown: string) => /^(---\n[\s\S]*?\n---\n)?\s*(# .*)?/.exec(markdown)![0];

// sourceServer is the API as Saving asks it of the Markdown of a page, all of it.
export function sourceServer(queries: QueryClient, place: Place, user: string, first: string): Server<Source> {
  const save = saverOf(queries, place, user);
  let head = headOf(first);
  return {
    load: () => loadSource(place),
    save: async (base, { markdown = "" }) => {
      const now = headOf(markdown);
      const made = await save(base, { document: { markdown, complete: true } }, now !== head);
      head = now;
      return made;
    },
  };
}
