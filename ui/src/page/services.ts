// What the editor asks of a space while one writes: the cached tree of its pages, and through the cache the rest.
import type { QueryClient } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { changeRequests, organizations } from "../api/queries";
import type { JsonDocument, JsonNode } from "../editor/document";
import { plainText } from "../editor/document";
import type { FileEntry, Heading, PageEntry, Person, Ref, Services } from "../editor/services";
import { pages, space, type Page } from "../space/queries";
import { emojiText, find, fold, label, pathTo } from "../space/tree";
import { drawing, installedBlocks } from "../kit/queries";
import { branchOf, documentOf, pathOf, type Place, writing } from "./server";
import { specialsOf } from "./specials";
import { send } from "./upload";

// So long is what was asked good enough for the next question.
const fresh = 30_000;
// The most that a list to choose from shows.
const most = 50;

const entry = (page: Page, trail: string[]): PageEntry => ({
  id: page.id,
  title: label(page),
  trail,
  path: page.path,
  type: page.type,
  ...(page.icon ? { icon: page.icon } : {}),
  ...(page.emoji ? { emoji: emojiText(page.emoji) } : {}),
  ...(page.description ? { description: page.description } : {}),
});

// flat lists the pages of a tree in its order.
export function flat(roots: Page[], trail: string[] = []): PageEntry[] {
  return roots.flatMap((page) => [entry(page, trail), ...flat(page.pages ?? [], [...trail, label(page)])]);
}

// best keeps what has all words in it; what has them in its name comes first, and there what begins with them.
export function best<T>(
  list: T[],
  words: string,
  name: (each: T) => string,
  more: (each: T) => string = () => "",
): T[] {
  const sought = fold(words).trim();
  const parts = sought.split(/\s+/).filter(Boolean);
  const rank = (each: T) => {
    const [title, rest] = [fold(name(each)), fold(more(each))];
    if (title.startsWith(sought)) return 3;
    if (parts.every((part) => title.includes(part))) return 2;
    return parts.every((part) => title.includes(part) || rest.includes(part)) ? 1 : 0;
  };
  const ranked = list.map((each) => ({ each, score: rank(each) })).filter(({ score }) => score > 0);
  return ranked.sort((a, b) => b.score - a.score).slice(0, most).map(({ each }) => each);
}

const fileEntry = (file: Schemas["File"]): FileEntry => ({
  id: file.id,
  name: file.name,
  size: file.size,
  type: file.contentType,
  address: file.downloadURL,
  ...(file.dimensions ? { width: file.dimensions.width, height: file.dimensions.height } : {}),
});

const person = (member: Schemas["OrganizationMember"]): Person => {
  const { id, displayName, email, photoURL } = member.user;
  return { id, name: displayName, ...(email ? { email } : {}), ...(photoURL ? { photo: photoURL } : {}) };
};

// headingsOf lists the headings of a document that have an address.
export function headingsOf(document: JsonDocument): Heading[] {
  const found: Heading[] = [];
  const walk = (nodes: JsonNode[]) => {
    for (const node of nodes) {
      const level = /^heading-([123])$/.exec(node.type ?? "")?.[1];
      const id = node.data?.["id"] ?? node.meta?.["id"];
      if (level && typeof id === "string" && id)
        found.push({ id, title: plainText(node).trim(), level: Number(level) });
      walk(node.nodes ?? []);
      for (const part of node.fragments ?? []) walk(part.nodes ?? []);
    }
  };
  walk(document.nodes);
  return found;
}

// servicesOf answers what the editor asks of a space.
export function servicesOf(queries: QueryClient, place: Place): Services {
  const path = pathOf(place);
  const base = `/v1/spaces/${encodeURIComponent(place.space)}${place.change === undefined ? "" : `/change-requests/${place.change}`}/content`;
  const key = [...changeRequests.one(place.space, branchOf(place)), "content"] as const;
  const tree = pages(place.space, place.change);
  const roots = () => queries.ensureQueryData(tree);
  const organization = async () => (await queries.ensureQueryData(space(place.space))).organization;

  const files = () =>
    queries.fetchQuery({
      queryKey: [...key, "files"],
      queryFn: async () => {
        const asked = (query: { page?: string; limit?: number }) =>
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files", {
            params: { path, query: { ...query, metadata: false } },
          });
        return (await all(asked)).map(fileEntry);
      },
      staleTime: fresh,
    });
  const content = () =>
    queries.fetchQuery({
      queryKey: [...key, "revision"],
      queryFn: () =>
        taken(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
            params: { path, query: { metadata: false, computed: false } },
          }),
        ),
      staleTime: fresh,
    });
  const file = (id: string) =>
    queries
      .fetchQuery({
        queryKey: [...key, "file", id],
        queryFn: async () => {
          const asked = api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}", {
            params: { path: { ...path, fileId: id } },
          });
          return fileEntry(await taken(asked));
        },
        staleTime: Infinity,
        retry: false,
      })
      .catch(() => null);
  const page = (id: string): PageEntry | null => {
    const known = queries.getQueryData(tree.queryKey);
    const found = known && find(known, id);
    if (!found) return null;
    const above = pathTo(known, id).slice(0, -1);
    return entry(found, above.map((each) => label(find(known, each)!)));
  };
  const members = async (search: string) => {
    const id = await organization();
    const asked = api.GET("/v1/orgs/{organizationId}/members", {
      params: { path: { organizationId: id }, query: { limit: most, ...(search ? { search } : {}) } },
    });
    return ((await taken(asked)).items ?? []).map(person);
  };

  return {
    here: place.page,
    fileAddress: async (ref) => (ref.kind === "file" && ref.file ? ((await file(ref.file))?.address ?? null) : null),
    file,
    files: async (words) => best(await files(), words, (each) => each.name),
    upload: (given, onProgress) => {
      const sending = send(`${base}/files`, given, onProgress);
      const done = sending.done.then((made) => {
        queries.setQueryData([...key, "file", made.id], fileEntry(made));
        void queries.invalidateQueries({ queryKey: [...key, "files"] });
        void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, branchOf(place)) });
        return fileEntry(made);
      });
      return { done, cancel: sending.cancel };
    },
    pageTitle: (id) => page(id)?.title ?? null,
    page,
    pages: async (words) =>
      best(
        flat(await roots()),
        words,
        (each) => each.title,
        (each) => `${each.path} ${each.trail.join(" ")}`,
      ),
    headings: (id) =>
      queries.fetchQuery({
        queryKey: [...key, "headings", id],
        queryFn: async () => {
          const query = { format: "document", computed: false, metadata: false } as const;
          const asked = api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
            params: { path: { ...path, pageId: id }, query },
          });
          return headingsOf(
            ((await taken(asked)).document as JsonDocument | undefined) ?? { object: "document", nodes: [] },
          );
        },
        staleTime: fresh,
      }),
    createPage: async (title) => {
      const known = await roots();
      const above = pathTo(known, place.page).at(-2);
      const siblings = above === undefined ? known : (find(known, above)?.pages ?? []);
      const at = siblings.findIndex((each) => each.id === place.page) + 1;
      const answer = await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: writing(place),
          body: {
            changes: [
              {
                operation: "insert_page",
                type: "document",
                title,
                at,
                ...(above === undefined ? {} : { into: above }),
              },
            ],
          },
        }),
      );
      void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, branchOf(place)) });
      await queries.invalidateQueries({ queryKey: tree.queryKey });
      const id = ((answer as Schemas["ContentUpdate"]).changes?.[0]?.page as Page | undefined)?.id;
      const made = flat(await queries.fetchQuery({ ...tree, staleTime: 0 })).find((each) => each.id === id);
      if (!made) throw new Error(title);
      return made;
    },
    pageAddress: (id) =>
      `/app/spaces/${place.space}${place.change === undefined ? "" : `/changes/${place.change}`}/pages/${id}`,
    refOf: (address) => {
      const known = queries.getQueryData(tree.queryKey) ?? [];
      return refOf(address, place.space, known, queries.getQueryData(space(place.space).queryKey)?.urls.published);
    },
    people: members,
    person: async (id) => {
      const organizationId = await organization();
      const asked = () =>
        taken(
          api.GET("/v1/orgs/{organizationId}/members/{userId}", { params: { path: { organizationId, userId: id } } }),
        );
      const found = queries.fetchQuery({
        queryKey: [...organizations.all, organizationId, "member", id],
        queryFn: asked,
        staleTime: fresh,
        retry: false,
      });
      return found.then(person, () => null);
    },
    reusables: async () => ((await content()).reusableContents ?? []).map(({ id, title }) => ({ id, title })),
    variables: async () => (await content()).variables ?? {},
    ...specialsOf(queries, place),
    blocks: () => queries.fetchQuery(installedBlocks(place.space)),
    drawing: (integration, editable) =>
      drawing(integration, () => ({ type: "document", spaceId: place.space, editable: editable() })),
    pageVariables: async () => {
      const query = { computed: false, metadata: false } as const;
      const asked = () =>
        taken(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}", {
            params: { path: { ...path, pageId: place.page }, query },
          }),
        );
      return (
        (await queries.fetchQuery({ queryKey: [...key, "variables", place.page], queryFn: asked, staleTime: fresh }))
          .variables ?? {}
      );
    },
    markdown: (text) => documentOf(place.space, text),
    evaluate: async (expression) => {
      const query = { expression, computed: false, metadata: false };
      const asked = () =>
        taken(
          api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/value", {
            params: { path: { ...path, pageId: place.page }, query },
          }),
        );
      const {
        value,
        visitor,
        fault = "",
      } = await queries.fetchQuery({
        queryKey: [...key, "value", place.page, expression],
        queryFn: asked,
        staleTime: fresh,
      });
      return { value, visitor, fault };
    },
    specs: async () => {
      const organizationId = await organization();
      const asked = (query: { page?: string; limit?: number }) =>
        api.GET("/v1/orgs/{organizationId}/openapi", { params: { path: { organizationId }, query } });
      const list = await queries.fetchQuery({
        queryKey: organizations.specs(organizationId),
        queryFn: () => all(asked),
        staleTime: fresh,
      });
      return list.map((spec) => ({ slug: spec.slug, ready: spec.lastVersion !== undefined }));
    },
  };
}

// decoded is what an address says, as it stands there when it is not well made.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// refOf returns the page of a space that an address of the app or of the published site leads to.
export function refOf(address: string, space: string, roots: Page[], published?: string): Ref | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const led = (page: string | undefined): Ref | null => {
    if (!page || !find(roots, page)) return null;
    const anchor = decoded(url.hash.slice(1));
    return anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
  };
  if (url.origin === location.origin) {
    const [, of, page] = /^\/app\/spaces\/([^/]+)\/(?:changes\/\d+\/)?pages\/([^/]+)$/.exec(url.pathname) ?? [];
    if (of) return of === space ? led(page) : null;
  }
  const site = published?.replace(/\/$/, "");
  if (!site || (url.href !== site && !url.href.startsWith(`${site}/`))) return null;
  const path = decoded(url.pathname.slice(new URL(`${site}/`).pathname.length)).replace(/\/$/, "");
  return led(flat(roots).find((each) => each.path === path)?.id);
}
