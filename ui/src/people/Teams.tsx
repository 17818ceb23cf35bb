import { useQuery } from "@tanstack/react-query";
import { Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import { teamsOf } from "../access/queries";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./People.module.css";
import type { Team } from "./queries";
import { TeamDialog } from "./TeamDialog";

// Teams lists the teams. Admins make them; owners of a team say who is in it.
export function Teams({ organization }: { organization: Organization }) {
  const asked = useQuery(teamsOf(organization.id));
  const [shown, show] = useState<Team | "new">();
  const admin = organization.permissions.admin;
  const make = admin && (
    <Button icon={<Plus />} onClick={() => show("new")}>
      {t("team.new")}
    </Button>
  );
  return (
    <>
      {asked.isPending && <Skeleton shape="rows" lines={3} />}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && (
        <EmptyState icon={<UsersRound />} title={t("team.none")} action={make}>
          {t("team.none.text")}
        </EmptyState>
      )}
      {asked.data && asked.data.length > 0 && <div className={styles.bar}>{make}</div>}
      <ul className={styles.rows}>
        {asked.data?.map((team) => (
          <li key={team.id} className={styles.row}>
            <span className={styles.sign} aria-hidden>
              <UsersRound />
            </span>
            <div className={styles.words}>
              <span className={styles.name}>{team.title}</span>
              <span className={styles.about}>
                {t("access.team.members", { count: team.members })} · {t("team.spaces", { count: team.spaces })}
              </span>
            </div>
            <Button
              kind="quiet"
              aria-label={`${t(team.permissions.admin ? "team.edit" : "team.see")}: ${team.title}`}
              onClick={() => show(team)}
            >
              {t(team.permissions.admin ? "team.edit" : "team.see")}
            </Button>
          </li>
        ))}
      </ul>
      {shown && (
        <TeamDialog
          organization={organization}
          {...(shown === "new" ? {} : { team: shown })}
          onClose={() => show(undefined)}
        />
      )}
    </>
  );
}
