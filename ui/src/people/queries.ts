// What the screen of people asks of the API, and how people, teams and invitations are changed.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Role } from "../access/role";
import { all } from "../api/all";
import { api, done, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";

export type Member = Schemas["OrganizationMember"];
export type Team = Schemas["Team"];
export type Invite = Schemas["EmailInvite"];
export type InviteLink = Schemas["InviteLink"];

const at = (organization: string) => ({ organizationId: organization });

// Filter says which members: with a part of a name, with a role.
export type Filter = { search?: string; role?: Role | "guest" };

// membersOf asks for members, fifty at a time, those who joined last first.
export const membersOf = (organization: string, filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [...organizations.people(organization), "list", filter],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET("/v1/orgs/{organizationId}/members", {
          params: {
            path: at(organization),
            query: { limit: 50, sort: "joinedAt", order: "asc", ...filter, ...(pageParam ? { page: pageParam } : {}) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next?.page,
  });

// adminsOf counts the admins: the last one stays.
export const adminsOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.people(organization), "admins"],
    queryFn: async () =>
      (
        await taken(
          api.GET("/v1/orgs/{organizationId}/members", {
            params: { path: at(organization), query: { role: "admin", limit: 1 } },
          }),
        )
      ).count,
  });

// spacesOfMember asks for the spaces that somebody may read, with what gives it to them.
export const spacesOfMember = (organization: string, user: string) =>
  queryOptions({
    queryKey: [...organizations.member(organization, user), "spaces"],
    queryFn: () =>
      taken(
        api.GET("/v1/orgs/{organizationId}/members/{userId}/spaces", {
          params: { path: { ...at(organization), userId: user }, query: { order: "asc", limit: 200 } },
        }),
      ),
  });

// teamsOfPerson asks for the teams that somebody is in.
export const teamsOfPerson = (organization: string, user: string) =>
  queryOptions({
    queryKey: [...organizations.member(organization, user), "teams"],
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/members/{userId}/teams", {
          params: { path: { ...at(organization), userId: user }, query },
        }),
      ),
  });

// invitesOf asks for the invitations by mail that nobody has accepted.
export const invitesOf = (organization: string) =>
  queryOptions({
    queryKey: organizations.invites(organization),
    queryFn: () =>
      all((query) => api.GET("/v1/orgs/{organizationId}/invites", { params: { path: at(organization), query } })),
  });

// linksOf asks for the links that let people in.
export const linksOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.invites(organization), "links"],
    queryFn: () =>
      all((query) => api.GET("/v1/orgs/{organizationId}/link-invites", { params: { path: at(organization), query } })),
  });

// membersOfTeam asks who is in a team.
export const membersOfTeam = (organization: string, team: string) =>
  queryOptions({
    queryKey: [...organizations.teams(organization), "one", team],
    queryFn: () =>
      all((query) =>
        api.GET("/v1/orgs/{organizationId}/teams/{teamId}/members", {
          params: { path: { ...at(organization), teamId: team }, query },
        }),
      ),
  });

const member = "/v1/orgs/{organizationId}/members/{userId}" as const;
const team = "/v1/orgs/{organizationId}/teams/{teamId}" as const;

export const write = {
  role: (organization: string, user: string, role: Role | null) =>
    taken(api.PATCH(member, { params: { path: { ...at(organization), userId: user } }, body: { role } })),
  remove: (organization: string, user: string) =>
    done(api.DELETE(member, { params: { path: { ...at(organization), userId: user } } })),
  invite: (organization: string, emails: string[], role: Role | null) =>
    taken(
      api.POST("/v1/orgs/{organizationId}/invites", { params: { path: at(organization) }, body: { emails, role } }),
    ),
  resend: (organization: string, invite: string) =>
    taken(
      api.POST("/v1/orgs/{organizationId}/invites/{inviteId}/resend", {
        params: { path: { ...at(organization), inviteId: invite } },
      }),
    ),
  withdraw: (organization: string, invite: string) =>
    done(
      api.DELETE("/v1/orgs/{organizationId}/invites/{inviteId}", {
        params: { path: { ...at(organization), inviteId: invite } },
      }),
    ),
  link: (organization: string, role: Role | null) =>
    taken(api.POST("/v1/orgs/{organizationId}/link-invites", { params: { path: at(organization) }, body: { role } })),
  revoke: (organization: string, link: string) =>
    done(
      api.DELETE("/v1/orgs/{organizationId}/link-invites/{inviteId}", {
        params: { path: { ...at(organization), inviteId: link } },
      }),
    ),
  newTeam: (organization: string, title: string, members: string[]) =>
    taken(api.PUT("/v1/orgs/{organizationId}/teams", { params: { path: at(organization) }, body: { title, members } })),
  renameTeam: (organization: string, id: string, title: string) =>
    taken(api.PATCH(team, { params: { path: { ...at(organization), teamId: id } }, body: { title } })),
  deleteTeam: (organization: string, id: string) =>
    done(api.DELETE(team, { params: { path: { ...at(organization), teamId: id } } })),
  inTeam: (organization: string, id: string, body: Schemas["ChangeTeamMembersInputBody"]) =>
    done(api.PUT(`${team}/members`, { params: { path: { ...at(organization), teamId: id } }, body })),
};
