// What the inbox asks of the API, for one organization.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, taken } from "../api/client";
import { notifications } from "../api/queries";

export type Notification = Schemas["Notification"];
export type Mail = Schemas["Settings"]["mail"];

const at = (organization: string) => ({ path: { organizationId: organization } });

// unread asks how many notifications were not read. Others make them, so it is asked again while the app is looked at.
export const unread = (organization: string) =>
  queryOptions({
    queryKey: notifications.count(organization),
    queryFn: async () =>
      (
        await taken(
          api.GET("/v1/orgs/{organizationId}/notifications", {
            params: { ...at(organization), query: { read: "false", limit: 1 } },
          }),
        )
      ).count ?? 0,
    refetchInterval: 30_000,
  });

// listed asks for the notifications, the latest first, those that were not read or all.
export const listed = (organization: string, all: boolean) =>
  infiniteQueryOptions({
    queryKey: notifications.list(organization, all),
    queryFn: ({ pageParam }) => {
      const query = {
        limit: 50,
        ...(all ? {} : { read: "false" as const }),
        ...(pageParam ? { page: pageParam } : {}),
      };
      return taken(api.GET("/v1/orgs/{organizationId}/notifications", { params: { ...at(organization), query } }));
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
    refetchInterval: 30_000,
  });

// mark notes that some notifications were read, or not; all of the organization without ids.
export const mark = (organization: string, read: boolean, ids?: string[]) =>
  taken(
    api.POST("/v1/orgs/{organizationId}/notifications/read", {
      params: at(organization),
      body: { read, ...(ids ? { notifications: ids } : {}) },
      parseAs: "text",
    }),
  );

// settings asks when mail comes.
export const settings = queryOptions({
  queryKey: notifications.settings,
  queryFn: () => taken(api.GET("/v1/user/notification-settings")),
});

// setMail chooses when mail comes.
export const setMail = (mail: Mail) => taken(api.PUT("/v1/user/notification-settings", { body: { mail } }));

// addressed asks for the mentions and replies among the newest that were not read.
export const addressed = (organization: string) =>
  queryOptions({
    queryKey: notifications.addressed(organization),
    queryFn: async () => {
      const asked = api.GET("/v1/orgs/{organizationId}/notifications", {
        params: { ...at(organization), query: { read: "false", limit: 50 } },
      });
      const list: Notification[] = (await taken(asked)).items ?? [];
      return list.filter(({ kind }) => kind === "mention" || kind === "reply").slice(0, 5);
    },
    refetchInterval: 30_000,
  });

// leads returns the path in the app of what the server names as an address.
export function leads(item: Notification): string {
  const { pathname, search } = new URL(item.urls.app);
  return pathname.replace(/^\/app/, "") + search;
}
