import { useQuery } from "@tanstack/react-query";
import { UsersRound } from "lucide-react";
import { useState } from "react";
import { Avatar } from "../look/Avatar";
import { Button } from "../look/Button";
import { ChooseMany, type Option } from "../look/ChooseMany";
import { peopleOf } from "../palette/queries";
import { t } from "../words/words";
import styles from "./Access.module.css";
import { teamsOf } from "./queries";
import { type Role, upTo } from "./role";
import { RoleSelect } from "./RoleSelect";
import type { AccessState } from "./useAccess";

// AddAccess gives members, guests and teams of the organization a role here.
export function AddAccess({ state }: { state: AccessState }) {
  const [chosen, choose] = useState<Option[]>([]);
  const [wanted, want] = useState<Role>("edit");
  const members = useQuery({ ...peopleOf(state.organization), enabled: state.organization !== "" }).data ?? [];
  const teams =
    useQuery({ ...teamsOf(state.organization), enabled: state.organization !== "", retry: false }).data ?? [];
  const options: Option[] = [
    ...teams.map(({ id, title, members: count }) => ({
      id,
      label: title,
      about: t("access.team.members", { count }),
      sign: <UsersRound aria-hidden />,
    })),
    ...members.map(({ user }) => ({
      id: user.id,
      label: user.displayName,
      about: user.email,
      sign: <Avatar size="small" name={user.displayName} picture={user.photoURL} />,
    })),
  ];
  const offered = upTo(state.mine?.permission);
  const role = offered.includes(wanted) ? wanted : "read";
  const isTeam = ({ id }: Option) => id.startsWith("team_");
  const ids = (list: Option[]) => list.map(({ id }) => id);
  const add = () =>
    state.begin(
      { of: "several", role, users: ids(chosen.filter((each) => !isTeam(each))), teams: ids(chosen.filter(isTeam)) },
      () => choose([]),
    );
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) add();
      }}
    >
      <ChooseMany
        label={t("access.add.who")}
        none={t("access.add.none")}
        options={options}
        chosen={chosen}
        onChange={choose}
      />
      <RoleSelect label={t("access.add.role")} value={role} roles={offered} onChange={want} />
      <Button
        kind="primary"
        type="submit"
        disabled={chosen.length === 0 || !state.ready}
        busy={state.change.isPending && chosen.length > 0}
      >
        {t("access.add")}
      </Button>
    </form>
  );
}
