// What gives somebody their access, in words: "Through Writers, from Product".
import { t } from "../words/words";
import type { Entry, Place } from "./queries";

// given reports whether what somebody has was given to them here itself, and can be taken back here.
export const given = ({ reason }: Entry, here: Place): boolean =>
  reason?.type === "user-grant" && (here.kind === "space" ? reason.space : reason.collection) === here.id;

// why says what gives somebody their access. titleOf knows the collections that the person may see.
export function why(
  { reason, user }: Pick<Entry, "reason"> & { user?: Entry["user"] },
  here: Place,
  titleOf: (collection: string) => string | undefined,
): string {
  if (!reason) return user?.email ?? "";
  const elsewhere =
    reason.collection && reason.collection !== here.id
      ? (titleOf(reason.collection) ?? t("access.why.hidden"))
      : undefined;
  const limit = reason.limitedBy
    ? ` ${t("access.why.limited", { place: limitedBy(reason.limitedBy, here, titleOf) })}`
    : "";
  return base(reason, elsewhere) + limit;
}

type Reason = NonNullable<Entry["reason"]>;

function base(reason: Reason, elsewhere: string | undefined): string {
  switch (reason.type) {
    case "organization-admin":
      return t("access.why.admin");
    case "organization-role":
      return t("access.why.role");
    case "user-grant":
      return elsewhere ? t("access.why.from", { place: elsewhere }) : t("access.why.here");
    case "team-grant": {
      const team = reason.team?.title ?? "";
      return elsewhere ? t("access.why.team.from", { team, place: elsewhere }) : t("access.why.team", { team });
    }
    case "default-level":
      return elsewhere ? t("access.why.level.from", { place: elsewhere }) : t("access.why.level");
  }
}

function limitedBy(
  place: NonNullable<Reason["limitedBy"]>,
  here: Place,
  titleOf: (collection: string) => string | undefined,
): string {
  if (place.space === here.id || place.collection === here.id) return t("access.why.itself");
  return titleOf(place.collection ?? "") ?? t("access.why.hidden");
}
