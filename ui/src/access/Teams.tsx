import { useQuery } from "@tanstack/react-query";
import { UsersRound, X } from "lucide-react";
import { IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import styles from "./Access.module.css";
import { type Place, teamsIn } from "./queries";
import { rank, roleName, upTo } from "./role";
import { RoleSelect } from "./RoleSelect";
import type { AccessState } from "./useAccess";

// Teams lists the teams that were given something here itself.
export function Teams({ place, state }: { place: Place; state: AccessState }) {
  const teams = useQuery(teamsIn(place));
  const own = state.mine?.permission;
  const busy = state.change.isPending || !state.ready;
  const mayGive = state.subject.data?.permissions.viewInviteLinks === true;
  if (teams.isError) return <Failed failure={teams.error} onRetry={() => void teams.refetch()} />;
  if (!teams.data?.length) return null;
  return (
    <section className={styles.section} aria-labelledby="access-teams">
      <h2 id="access-teams" className={styles.heading}>
        {t("access.teams")}
      </h2>
      <ul className={styles.rows}>
        {teams.data.map(({ team, permission }) => (
          <li key={team.id} className={styles.row}>
            <span className={styles.sign} aria-hidden>
              <UsersRound />
            </span>
            <div className={styles.words}>
              <span className={styles.name}>{team.title}</span>
              <span className={styles.about}>{t("access.team.members", { count: team.members })}</span>
            </div>
            {mayGive && rank(permission) <= rank(own) ? (
              <>
                <RoleSelect
                  label={t("access.roleOf", { name: team.title })}
                  value={permission}
                  roles={upTo(own)}
                  disabled={busy}
                  onChange={(role) => state.begin({ of: "team", id: team.id, role })}
                />
                <IconButton
                  label={t("access.takeBack", { name: team.title })}
                  disabled={busy}
                  onClick={() => state.begin({ of: "team", id: team.id, role: undefined })}
                >
                  <X />
                </IconButton>
              </>
            ) : (
              <>
                <span className={styles.role}>{roleName(permission)}</span>
                <span className={styles.gap} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
