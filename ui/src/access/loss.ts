// What a change of access takes from the one who makes it, said before it happens.
import type { Entry, Place } from "./queries";
import { rank, type Role } from "./role";

// Change is one of the three kinds of change. A role is undefined where what was given is taken back, and a level of
// "inherit" says nothing.
export type Change =
  | { of: "user"; id: string; role: Role | undefined }
  | { of: "team"; id: string; role: Role | undefined }
  | { of: "everybody"; level: Role | "inherit" | null };

// Loss is what is left: a role, null for no access at all, or "unknown" where farther places and teams decide.
export type Loss = { left: Role | null | "unknown" } | undefined;

// lossOf says what a change would leave its maker with, undefined when they lose nothing. The nearest place decides:
// what was given to a person goes before what was given to their teams, and both before what everybody may. Admins of
// the organization always have a way in.
export function lossOf(change: Change, mine: Entry | undefined, myTeams: string[], here: Place): Loss {
  const reason = mine?.reason;
  if (!mine || !reason || reason.type === "organization-admin") return undefined;
  const isHere = (here.kind === "space" ? reason.space : reason.collection) === here.id;
  const lower = (role: Role | null): Loss => (rank(role) < rank(mine.permission) ? { left: role } : undefined);
  const personal = reason.type === "user-grant" && isHere;
  const byTeam = reason.type === "team-grant" && isHere;
  if (change.of === "user") {
    if (change.id !== mine.user.id) return undefined;
    return change.role === undefined ? (personal ? { left: "unknown" } : undefined) : lower(change.role);
  }
  if (personal) return undefined;
  if (change.of === "team") {
    if (!myTeams.includes(change.id)) return undefined;
    const decides = byTeam && reason.team?.id === change.id;
    if (change.role === undefined) return decides ? { left: "unknown" } : undefined;
    return byTeam && !decides ? undefined : lower(change.role);
  }
  if (byTeam) return undefined;
  if (change.level === "inherit") return reason.type === "default-level" && isHere ? { left: "unknown" } : undefined;
  return lower(change.level);
}
