import { Banner } from "../look/Banner";
import { t } from "../words/words";
import styles from "./Access.module.css";
import type { Place } from "./queries";
import { type Role, roleName, roles } from "./role";
import type { AccessState } from "./useAccess";

// How many of those who lost something are named.
const named = 5;

type Props = { place: Place; state: AccessState };

// Level is what members may do who were given nothing nearer. Who loses by a change is named after it.
export function Level({ place, state: { subject, change, begin, ready } }: Props) {
  const about = subject.data;
  if (!about) return null;
  const level = about.defaultLevel ?? "none";
  const affected = change.data;
  const inherited =
    "parent" in about && about.parent ? t("access.level.inherit.collection") : t("access.level.inherit.organization");
  return (
    <section className={styles.section} aria-labelledby="access-level">
      <div className={styles.line}>
        <div className={styles.words}>
          <h2 id="access-level" className={styles.heading}>
            {t("access.level")}
          </h2>
          <p className={styles.about}>
            {t(place.kind === "space" ? "access.level.text.space" : "access.level.text.collection")}
          </p>
        </div>
        <select
          aria-labelledby="access-level"
          className={styles.select}
          value={level}
          disabled={!about.permissions.admin || !ready || change.isPending}
          onChange={(event) => {
            const value = event.currentTarget.value;
            begin({ of: "everybody", level: value === "none" ? null : (value as Role | "inherit") });
          }}
        >
          <option value="inherit">{inherited}</option>
          {roles.map((role) => (
            <option key={role} value={role}>
              {roleName(role)}
            </option>
          ))}
          <option value="none">{roleName(null)}</option>
        </select>
      </div>
      {affected && affected.count > 0 && (
        <Banner kind="info">
          {t("access.affected", { count: affected.count })}{" "}
          {(affected.members ?? [])
            .slice(0, named)
            .map(({ user, from, to }) =>
              t("access.affected.one", {
                name: user.displayName,
                from: roleName(from as Role),
                to: roleName(to as Role | null),
              }),
            )
            .join(", ")}
          {affected.count > named && "…"}
        </Banner>
      )}
    </section>
  );
}
