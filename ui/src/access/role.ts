// Roles, from the least to the most. Each may do what the ones before it may.
import { t } from "../words/words";

export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const;
export type Role = (typeof roles)[number];

// rank orders roles; nobody without one is above anybody.
export const rank = (role: string | null | undefined): number => roles.findIndex((each) => each === role);

// upTo lists the roles that somebody with a role may give.
export const upTo = (own: string | null | undefined): Role[] => roles.filter((each) => rank(each) <= rank(own));

// roleName is a role in a word.
export const roleName = (role: Role | null): string => (role === null ? t("role.none") : t(`role.${role}`));
