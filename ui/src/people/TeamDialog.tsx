import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { organizations } from "../api/queries";
import { Avatar } from "../look/Avatar";
import { Button, IconButton } from "../look/Button";
import { ChooseMany, type Option } from "../look/ChooseMany";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { peopleOf } from "../palette/queries";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./People.module.css";
import { membersOfTeam, type Team, write } from "./queries";

type Props = { organization: Organization; team?: Team; onClose: () => void };

// TeamDialog makes a team, or changes what one is called and who is in it; everything happens with Save.
export function TeamDialog({ organization, team, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const id = organization.id;
  const members = useQuery({ ...membersOfTeam(id, team?.id ?? ""), enabled: team !== undefined });
  const people = useQuery(peopleOf(id)).data ?? [];
  const [title, setTitle] = useState(team?.title ?? "");
  const [added, add] = useState<Option[]>([]);
  const [removed, remove] = useState<string[]>([]);
  const [owners, own] = useState<Record<string, boolean>>({});
  const may = team ? team.permissions.admin : organization.permissions.admin;
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: organizations.teams(id) });
    void queries.invalidateQueries({ queryKey: organizations.people(id) });
    onClose();
  };
  const save = useMutation({
    mutationFn: async () => {
      if (!team)
        return void (await write.newTeam(
          id,
          title.trim(),
          added.map((each) => each.id),
        ));
      if (title.trim() !== team.title) await write.renameTeam(id, team.id, title.trim());
      const memberships = Object.fromEntries(
        Object.entries(owners)
          .filter(([user]) => !removed.includes(user))
          .map(([user, owner]) => [user, { role: owner ? ("owner" as const) : ("member" as const) }]),
      );
      const change = {
        ...(added.length > 0 ? { add: added.map((each) => each.id) } : {}),
        ...(removed.length > 0 ? { remove: removed } : {}),
        ...(Object.keys(memberships).length > 0 ? { memberships } : {}),
      };
      if (Object.keys(change).length > 0) await write.inTeam(id, team.id, change);
    },
    onSuccess,
  });
  const drop = useMutation({ mutationFn: () => write.deleteTeam(id, team?.id ?? ""), onSuccess });
  const [asking, ask] = useState(false);
  const there = (members.data ?? []).filter(({ organization: { user } }) => !removed.includes(user.id));
  const options = people
    .filter(({ user }) => !there.some((each) => each.organization.user.id === user.id))
    .map(({ user }): Option => ({
      id: user.id,
      label: user.displayName,
      about: user.email,
      sign: <Avatar size="small" name={user.displayName} picture={user.photoURL} />,
    }));
  const actions = may && (
    <>
      {team && (
        <Button kind="danger" busy={drop.isPending} onClick={() => (asking ? drop.mutate() : ask(true))}>
          {t(asking ? "team.delete.sure" : "team.delete")}
        </Button>
      )}
      <span className={styles.grow} />
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={save.isPending} disabled={!title.trim()}>
        {t(team ? "place.save" : "team.create")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={team?.title ?? t("team.new")}
      description={t("team.text")}
      actions={actions}
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {may && (
          <Field
            label={t("team.title")}
            required
            maxLength={256}
            autoComplete="off"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
        )}
        {may && (
          <div className={styles.choose}>
            <ChooseMany
              label={t("team.add")}
              none={t("access.nobody")}
              options={options}
              chosen={added}
              onChange={add}
            />
          </div>
        )}
        {team && members.isPending && <Skeleton shape="rows" lines={2} />}
        {members.isError && team && <Failed failure={members.error} onRetry={() => void members.refetch()} />}
        <ul className={styles.list}>
          {there.map(({ organization: { user }, team: { role } }) => (
            <li key={user.id} className={styles.person}>
              <Avatar size="small" name={user.displayName} picture={user.photoURL} />
              <span className={styles.grow}>{user.displayName}</span>
              {may ? (
                <>
                  <label className={styles.check}>
                    <input
                      type="checkbox"
                      checked={owners[user.id] ?? role === "owner"}
                      onChange={(event) => own({ ...owners, [user.id]: event.currentTarget.checked })}
                    />
                    {t("team.owner")}
                  </label>
                  <IconButton
                    label={t("team.takeOut", { name: user.displayName })}
                    onClick={() => remove([...removed, user.id])}
                  >
                    <X />
                  </IconButton>
                </>
              ) : (
                role === "owner" && <span className={styles.mark}>{t("team.owner")}</span>
              )}
            </li>
          ))}
        </ul>
        {(save.isError || drop.isError) && <Failed failure={save.error ?? drop.error} />}
      </form>
    </Dialog>
  );
}
