import { expect, it } from "vitest";
import { type Change, lossOf } from "./loss";
import type { Entry } from "./queries";

const here = { kind: "space", id: "space_here" } as const;
const me = (permission: Entry["permission"], reason: Partial<NonNullable<Entry["reason"]>>) =>
  ({ permission, user: { id: "me" }, reason: { level: permission, ...reason } }) as Entry;
const personal = me("create", { type: "user-grant", space: "space_here" });
const inherited = me("create", { type: "user-grant", collection: "collection_above" });
const byTeam = me("create", { type: "team-grant", space: "space_here", team: { id: "team_mine", title: "Mine" } });
const byRole = me("create", { type: "organization-role" });

it.each<[string, Change, Entry, ReturnType<typeof lossOf>]>([
  [
    "admins keep their way in",
    { of: "user", id: "me", role: "read" },
    me("admin", { type: "organization-admin" }),
    undefined,
  ],
  ["what others lose is not mine", { of: "user", id: "you", role: undefined }, personal, undefined],
  ["a lower role of my own", { of: "user", id: "me", role: "read" }, personal, { left: "read" }],
  ["a nearer, lower role", { of: "user", id: "me", role: "edit" }, inherited, { left: "edit" }],
  ["the same role", { of: "user", id: "me", role: "create" }, personal, undefined],
  ["taking back what decides", { of: "user", id: "me", role: undefined }, personal, { left: "unknown" }],
  ["my team does not decide over what I was given", { of: "team", id: "team_mine", role: "read" }, personal, undefined],
  ["my team decides", { of: "team", id: "team_mine", role: "read" }, byTeam, { left: "read" }],
  ["my team is taken out", { of: "team", id: "team_mine", role: undefined }, byTeam, { left: "unknown" }],
  [
    "a lower role for my team goes before that of the organization",
    { of: "team", id: "team_mine", role: "read" },
    byRole,
    { left: "read" },
  ],
  ["another team of mine gives as much", { of: "team", id: "team_other", role: "read" }, byTeam, undefined],
  ["a team that I am not in", { of: "team", id: "team_theirs", role: "read" }, byRole, undefined],
  ["closing it for everybody", { of: "everybody", level: null }, byRole, { left: null }],
  ["a nearer level goes before what was given above", { of: "everybody", level: "read" }, inherited, { left: "read" }],
  ["a level does not touch what I was given", { of: "everybody", level: null }, personal, undefined],
  ["a level does not touch what my team was given", { of: "everybody", level: null }, byTeam, undefined],
  [
    "a level that decided and goes",
    { of: "everybody", level: "inherit" },
    me("create", { type: "default-level", space: "space_here" }),
    { left: "unknown" },
  ],
  ["a higher level", { of: "everybody", level: "admin" }, byRole, undefined],
])("%s", (_, change, mine, want) => expect(lossOf(change, mine, ["team_mine", "team_other"], here)).toEqual(want));
