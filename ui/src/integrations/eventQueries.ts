// What the screen of the calls of an integration asks of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";
import { root } from "./queries";

export type Called = Schemas["IntegrationEvent"];
export type Status = Called["status"];

// Filter narrows the list; both live in the address of the screen.
export interface Filter {
  type?: string;
  status?: Status;
}

// kinds are the types of events that scripts are called for.
export const kinds = [
  "ui_render",
  "fetch",
  "fetch_published_script",
  "fetch_visitor_authentication",
  "task",
  "installation_setup",
  "installation_deleted",
  "space_installation_setup",
  "space_installation_deleted",
  "site_installation_setup",
  "site_installation_deleted",
  "site_view",
  "page_feedback",
  "space_content_updated",
  "space_visibility_updated",
  "space_gitsync_started",
  "space_gitsync_completed",
  "content_compute_revision",
  "content_compute_document",
] as const;

// answered are those whose answer somebody waited for: they are not sent once more.
export const answered = new Set<string>([
  "fetch",
  "fetch_published_script",
  "fetch_visitor_authentication",
  "ui_render",
  "content_compute_revision",
  "content_compute_document",
]);

export const readFilter = (search: Record<string, unknown>): Filter => ({
  ...(typeof search["type"] === "string" && search["type"] ? { type: search["type"] } : {}),
  ...(search["status"] === "success" || search["status"] === "failed" ? { status: search["status"] } : {}),
});

const keys = (organization: string, name: string) => [...organizations.integrations(organization), name, "events"];

export const eventsOf = (organization: string, name: string, filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [...keys(organization, name), "list", filter],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET(`${root}/events`, {
          params: {
            path: { integrationName: name },
            query: { limit: 50, ...filter, ...(pageParam ? { page: pageParam } : {}) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page ?? null,
  });

export const eventOf = (organization: string, name: string, event: string) =>
  queryOptions({
    queryKey: [...keys(organization, name), event],
    queryFn: () =>
      taken(api.GET(`${root}/events/{eventId}`, { params: { path: { integrationName: name, eventId: event } } })),
    staleTime: Infinity,
  });

export const allEvents = keys;
