import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, UserMinus } from "lucide-react";
import { useId, useState } from "react";
import { LossDialog } from "../access/LossDialog";
import { rank, type Role } from "../access/role";
import { organizations } from "../api/queries";
import { me } from "../change-request/draft";
import { Avatar } from "../look/Avatar";
import { IconButton } from "../look/Button";
import { failureText } from "../look/Failed";
import type { Organization } from "../shell/organization";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { MemberPlaces } from "./MemberPlaces";
import { MemberRole, roleOrGuest } from "./MemberRole";
import styles from "./People.module.css";
import { type Member, write } from "./queries";

type Props = { organization: Organization; member: Member; lastAdmin: boolean; onRemove: () => void };

// MemberRow is one member, which opens to where they may do what, and why.
export function MemberRow({ organization, member, lastAdmin, onRemove }: Props) {
  const [open, setOpen] = useState(false);
  const places = useId();
  const note = useId();
  const queries = useQueryClient();
  const myself = useQuery(me).data?.id;
  const { user, role } = member;
  const own = user.id === myself;
  const admin = organization.permissions.admin;
  // The lower role that somebody is about to give themselves.
  const [lower, setLower] = useState<Role | null>();
  const change = useMutation({
    mutationFn: (next: Role | null) => write.role(organization.id, user.id, next),
    onSettled: () =>
      Promise.all(
        [organizations.people(organization.id), ...(own ? [organizations.all] : [])].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  return (
    <tbody className={styles.member}>
      <tr>
        <th scope="row">
          <span className={styles.who}>
            {(admin || own) && (
              <button
                type="button"
                className={styles.open}
                aria-expanded={open}
                aria-controls={places}
                aria-label={t("member.places", { name: user.displayName })}
                onClick={() => setOpen(!open)}
              >
                <ChevronRight aria-hidden />
              </button>
            )}
            <Avatar name={user.displayName} picture={user.photoURL} />
            <span className={styles.words}>
              <span className={styles.name}>
                {user.displayName}
                {own && <span className={styles.mark}>{t("access.you")}</span>}
                {member.sso && <span className={styles.mark}>{t("member.sso")}</span>}
              </span>
              <span className={styles.about}>{user.email}</span>
            </span>
          </span>
        </th>
        <td>
          {admin ? (
            <MemberRole
              label={t("access.roleOf", { name: user.displayName })}
              value={(change.isPending ? change.variables : role) as Role | null}
              disabled={lastAdmin || change.isPending}
              onChange={(next) => (own && rank(next) < rank(role) ? setLower(next) : change.mutate(next))}
              describedBy={note}
            />
          ) : (
            roleOrGuest(role as Role | null)
          )}
          <LossDialog
            loss={lower === undefined ? undefined : { left: lower ?? "unknown" }}
            onCancel={() => setLower(undefined)}
            onConfirm={() => {
              if (lower !== undefined) change.mutate(lower);
              setLower(undefined);
            }}
          />
          <span
            id={note}
            className={change.isError ? styles.fault : styles.note}
            role={change.isError ? "alert" : undefined}
          >
            {change.isError ? failureText(change.error) : lastAdmin && admin ? t("member.last") : ""}
          </span>
        </td>
        <td className={styles.wide}>{member.teams > 0 ? member.teams : ""}</td>
        <td className={styles.wide}>
          {member.lastSeenAt ? (
            <Time at={member.lastSeenAt} />
          ) : (
            <span className={styles.about}>{t("member.never")}</span>
          )}
        </td>
        <td className={styles.last}>
          {(admin || own) && !lastAdmin && (
            <IconButton
              label={own ? t("member.leave") : t("member.remove", { name: user.displayName })}
              onClick={onRemove}
            >
              <UserMinus />
            </IconButton>
          )}
        </td>
      </tr>
      <tr id={places} hidden={!open}>
        <td colSpan={5} className={styles.places}>
          {open && <MemberPlaces organization={organization} user={user.id} />}
        </td>
      </tr>
    </tbody>
  );
}
