// Who may do what in a space or a collection, and how that is changed.
import { queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, done, type Schemas, taken } from "../api/client";
import { access, collections, organizations } from "../api/queries";
import type { Role } from "./role";

export type Place = { kind: "space" | "collection"; id: string };
export type Entry = Schemas["UserPermission"];
export type TeamEntry = Schemas["TeamPermission"];
export type Affected = Schemas["Affected"];

const inSpace = "/v1/spaces/{spaceId}" as const;
const inCollection = "/v1/collections/{collectionId}" as const;

// collection asks for a collection.
export const collection = (id: string) =>
  queryOptions({
    queryKey: collections.one(id),
    queryFn: () => taken(api.GET(inCollection, { params: { path: { collectionId: id } } })),
  });

// everybodyIn asks for all who have access, with what gives it to them.
export const everybodyIn = ({ kind, id }: Place) =>
  queryOptions({
    queryKey: access.everybody(kind, id),
    queryFn: () =>
      all((query) =>
        kind === "space"
          ? api.GET(`${inSpace}/permissions/aggregate`, { params: { path: { spaceId: id }, query } })
          : api.GET(`${inCollection}/permissions/aggregate`, { params: { path: { collectionId: id }, query } }),
      ),
  });

// teamsIn asks for the teams that were given something here itself.
export const teamsIn = ({ kind, id }: Place) =>
  queryOptions({
    queryKey: access.teams(kind, id),
    queryFn: () =>
      all((query) =>
        kind === "space"
          ? api.GET(`${inSpace}/permissions/teams`, { params: { path: { spaceId: id }, query } })
          : api.GET(`${inCollection}/permissions/teams`, { params: { path: { collectionId: id }, query } }),
      ),
  });

// teamsOf asks for the teams of an organization.
export const teamsOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.teams(organization),
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/teams", { params: { path: { organizationId: organization }, query } }),
      ),
  });

// teamsOfMember asks for the ids of the teams that somebody is in.
export const teamsOfMember = (organization: string, user: string) =>
  queryOptions({
    queryKey: [...organizations.teams(organization), "of", user],
    queryFn: async () => {
      const path = { organizationId: organization, userId: user };
      const found = await all((query) =>
        api.GET("/v1/orgs/{organizationId}/members/{userId}/teams", { params: { path, query } }),
      );
      return found.map(({ team }) => team.id);
    },
  });

// give gives people and teams a role here, in place of what they were given here before.
export const give = ({ kind, id }: Place, body: { role: Role; users?: string[]; teams?: string[] }) =>
  done(
    kind === "space"
      ? api.POST(`${inSpace}/permissions`, { params: { path: { spaceId: id } }, body })
      : api.POST(`${inCollection}/permissions`, { params: { path: { collectionId: id } }, body }),
  );

// takeBack takes back what a person or a team was given here.
export const takeBack = ({ kind, id }: Place, of: "user" | "team", holder: string) => {
  if (of === "user") {
    return done(
      kind === "space"
        ? api.DELETE(`${inSpace}/permissions/users/{userId}`, { params: { path: { spaceId: id, userId: holder } } })
        : api.DELETE(`${inCollection}/permissions/users/{userId}`, {
            params: { path: { collectionId: id, userId: holder } },
          }),
    );
  }
  return done(
    kind === "space"
      ? api.DELETE(`${inSpace}/permissions/teams/{teamId}`, { params: { path: { spaceId: id, teamId: holder } } })
      : api.DELETE(`${inCollection}/permissions/teams/{teamId}`, {
          params: { path: { collectionId: id, teamId: holder } },
        }),
  );
};

// setLevel says what members may do here who were given nothing nearer, and returns who can do less now.
export const setLevel = async ({ kind, id }: Place, level: Role | "inherit" | null): Promise<Affected | undefined> => {
  const body = { defaultLevel: level };
  const changed =
    kind === "space"
      ? await taken(api.PATCH(inSpace, { params: { path: { spaceId: id } }, body }))
      : await taken(api.PATCH(inCollection, { params: { path: { collectionId: id } }, body }));
  return changed.affected;
};

// guestLink makes a link that lets people in as guests, with a role here and nothing else.
export const guestLink = ({ kind, id }: Place, organization: string, level: Role) =>
  taken(
    api.POST("/v1/orgs/{organizationId}/link-invites", {
      params: { path: { organizationId: organization } },
      body: { [kind]: id, level },
    }),
  );

// revokeLink ends such a link.
export const revokeLink = (organization: string, link: string) =>
  done(
    api.DELETE("/v1/orgs/{organizationId}/link-invites/{inviteId}", {
      params: { path: { organizationId: organization, inviteId: link } },
    }),
  );
