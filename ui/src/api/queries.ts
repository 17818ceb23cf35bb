// The cache keys of what the API answers: one factory for each resource, from the general to the particular, so that
// invalidating a key takes in everything below it.

// users holds the keys of people.
export const users = {
  me: ["users", "me"] as const,
};

// changeRequests holds the keys of change requests. A change request is named by its id or number.
export const changeRequests = {
  of: (space: string) => ["spaces", space, "change-requests"] as const,
  list: (space: string, filter: Record<string, string>) => [...changeRequests.of(space), "list", filter] as const,
  draft: (space: string) => [...changeRequests.of(space), "draft"] as const,
  one: (space: string, request: string | number) => [...changeRequests.of(space), "one", String(request)] as const,
  changes: (space: string, request: string | number) => [...changeRequests.one(space, request), "changes"] as const,
  page: (space: string, request: string | number, page: string, revision: string) =>
    [...changeRequests.changes(space, request), page, revision] as const,
  merge: (space: string, request: string | number) => [...changeRequests.one(space, request), "merge"] as const,
  conflicts: (space: string, request: string | number) => [...changeRequests.one(space, request), "conflicts"] as const,
  reviews: (space: string, request: string | number) => [...changeRequests.one(space, request), "reviews"] as const,
};

// comments holds the keys of discussions: that of a space, or of a change request of it.
export const comments = {
  of: (space: string, request: number | undefined) => ["spaces", space, "comments", request ?? "main"] as const,
  list: (space: string, request: number | undefined, page: string) =>
    [...comments.of(space, request), "list", page] as const,
  replies: (space: string, request: number | undefined, comment: string) =>
    [...comments.of(space, request), "replies", comment] as const,
};

// organizations holds the keys of organizations, and of what is listed for one as a whole.
export const organizations = {
  all: ["organizations"] as const,
  spaces: (organization: string) => ["organizations", organization, "spaces"] as const,
  collections: (organization: string) => ["organizations", organization, "collections"] as const,
  people: (organization: string) => ["organizations", organization, "people"] as const,
  teams: (organization: string) => ["organizations", organization, "teams"] as const,
  member: (organization: string, user: string) => [...organizations.people(organization), "one", user] as const,
  providers: (organization: string) => ["organizations", organization, "providers"] as const,
  audit: (organization: string) => ["organizations", organization, "audit"] as const,
  imports: (organization: string) => ["organizations", organization, "imports"] as const,
  invites: (organization: string) => ["organizations", organization, "invites"] as const,
  there: (organization: string) => ["organizations", organization, "there"] as const,
  trash: (organization: string) => ["organizations", organization, "trash"] as const,
  specs: (organization: string) => ["organizations", organization, "specs"] as const,
  spec: (organization: string, slug: string) => ["organizations", organization, "spec", slug] as const,
  translations: (organization: string) => ["organizations", organization, "translations"] as const,
  integrations: (organization: string) => ["organizations", organization, "integrations"] as const,
  sites: (organization: string) => ["organizations", organization, "sites"] as const,
  search: (organization: string, words: string) => ["organizations", organization, "search", words] as const,
  searchStatus: (organization: string) => ["organizations", organization, "search-status"] as const,
  changeRequests: (organization: string, filter: Record<string, string>) =>
    ["organizations", organization, "change-requests", filter] as const,
};

// access holds the keys of who may do what in a space or a collection.
export const access = {
  of: (kind: "space" | "collection", id: string) => ["access", kind, id] as const,
  everybody: (kind: "space" | "collection", id: string) => [...access.of(kind, id), "everybody"] as const,
  teams: (kind: "space" | "collection", id: string) => [...access.of(kind, id), "teams"] as const,
};

// collections holds the keys of collections.
export const collections = {
  all: ["collections"] as const,
  one: (collection: string) => ["collections", collection] as const,
};

// notifications holds the keys of what the person is told of.
export const notifications = {
  of: (organization: string) => ["organizations", organization, "notifications"] as const,
  count: (organization: string) => [...notifications.of(organization), "unread"] as const,
  addressed: (organization: string) => [...notifications.of(organization), "addressed"] as const,
  list: (organization: string, all: boolean) => [...notifications.of(organization), "list", all] as const,
  settings: ["users", "me", "notification-settings"] as const,
};

// spaces holds the keys of spaces and of their main content. Pages of a change request are below that one.
export const spaces = {
  all: ["spaces"] as const,
  one: (space: string) => ["spaces", space, "space"] as const,
  pages: (space: string) => ["spaces", space, "pages"] as const,
  page: (space: string, page: string) => ["spaces", space, "page", page] as const,
  changedPages: (space: string, request: string | number) => [...changeRequests.one(space, request), "pages"] as const,
  // content holds what there is beside the pages: files, reusable contents, variables, links.
  content: (space: string, request?: string | number) =>
    request === undefined
      ? (["spaces", space, "content"] as const)
      : ([...changeRequests.one(space, request), "content"] as const),
  revisions: (space: string) => ["spaces", space, "revisions"] as const,
};
