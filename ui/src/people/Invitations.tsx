import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2, MailPlus } from "lucide-react";
import { useState } from "react";
import { type Role, roleName } from "../access/role";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { CopyButton } from "../look/CopyButton";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { MemberRole, roleOrGuest } from "./MemberRole";
import styles from "./People.module.css";
import { type Invite, type InviteLink, invitesOf, linksOf, write } from "./queries";

type Props = { organization: Organization; onInvite: () => void };

// Invitations lists who was invited by mail and has not come yet, and the links that let people in.
export function Invitations({ organization, onInvite }: Props) {
  const invites = useQuery(invitesOf(organization.id));
  return (
    <>
      {invites.isPending && <Skeleton shape="rows" lines={3} />}
      {invites.isError && <Failed failure={invites.error} onRetry={() => void invites.refetch()} />}
      {invites.data?.length === 0 && (
        <EmptyState
          icon={<MailPlus />}
          title={t("invite.none")}
          action={
            <Button icon={<MailPlus />} onClick={onInvite}>
              {t("invite.people")}
            </Button>
          }
        >
          {t("invite.none.text")}
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {invites.data?.map((invite) => (
          <InviteRow key={invite.id} organization={organization.id} invite={invite} />
        ))}
      </ul>
      <Links organization={organization} />
    </>
  );
}

function InviteRow({ organization, invite }: { organization: string; invite: Invite }) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: organizations.invites(organization) });
  const resend = useMutation({ mutationFn: () => write.resend(organization, invite.id), onSettled });
  const withdraw = useMutation({ mutationFn: () => write.withdraw(organization, invite.id), onSettled });
  const link = resend.data?.urls.accept;
  const failure = resend.error ?? withdraw.error;
  const failing = invite.state === "undelivered" || invite.state === "expired" || invite.state === "declined";
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.name}>{invite.email}</span>
        <span className={failing ? styles.fault : styles.about}>
          {t(`invite.state.${invite.state}`)} · {roleOrGuest(invite.role as Role | null)} · <Time at={invite.sentAt} />
        </span>
        {failure && (
          <span className={styles.fault} role="alert">
            {failure.message}
          </span>
        )}
        {resend.isSuccess && (
          <span className={styles.done} role="status">
            {t(link ? "invite.handOver" : "invite.sent")}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        {link && <CopyButton text={link} label={t("access.copy")} />}
        <Button
          kind="quiet"
          busy={resend.isPending}
          aria-label={`${t("invite.resend")}: ${invite.email}`}
          onClick={() => resend.mutate()}
        >
          {t("invite.resend")}
        </Button>
        <Button
          kind="quiet"
          busy={withdraw.isPending}
          aria-label={`${t("invite.withdraw")}: ${invite.email}`}
          onClick={() => withdraw.mutate()}
        >
          {t("invite.withdraw")}
        </Button>
      </div>
    </li>
  );
}

function Links({ organization }: { organization: Organization }) {
  const queries = useQueryClient();
  const [role, setRole] = useState<Role | null>("read");
  const links = useQuery(linksOf(organization.id));
  const onSettled = () => queries.invalidateQueries({ queryKey: organizations.invites(organization.id) });
  const make = useMutation({ mutationFn: () => write.link(organization.id, role), onSettled });
  const open = organization.inviteLinks && !organization.sso;
  return (
    <section className={styles.section} aria-labelledby="invite-links">
      <h2 id="invite-links" className={styles.heading}>
        {t("invite.links")}
      </h2>
      <p className={styles.about}>
        {t(open ? "invite.links.text" : organization.sso ? "invite.links.sso" : "invite.links.off")}
      </p>
      {links.isError && <Failed failure={links.error} onRetry={() => void links.refetch()} />}
      <ul className={styles.rows}>
        {links.data?.map((link) => (
          <LinkRow key={link.id} organization={organization.id} link={link} />
        ))}
      </ul>
      {make.isError && <Failed failure={make.error} />}
      {open && (
        <div className={styles.line}>
          <MemberRole label={t("invite.role")} value={role} onChange={setRole} />
          <Button icon={<Link2 />} busy={make.isPending} onClick={() => make.mutate()}>
            {t("access.guests.make")}
          </Button>
        </div>
      )}
    </section>
  );
}

function LinkRow({ organization, link }: { organization: string; link: InviteLink }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => write.revoke(organization, link.id),
    onSettled: () => queries.invalidateQueries({ queryKey: organizations.invites(organization) }),
  });
  const place = link.space ?? link.collection;
  const address = `${location.origin}/invites/${organization}/${link.id}`;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.name}>
          {place ? t("invite.link.place", { title: place.title }) : t("invite.link.organization")}
        </span>
        <span className={styles.about}>
          {place
            ? `${t("role.guest")} · ${roleName(link.level as Role | null)}`
            : roleOrGuest(link.role as Role | null)}
        </span>
        {revoke.isError && (
          <span className={styles.fault} role="alert">
            {revoke.error.message}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        <CopyButton kind="quiet" text={address} label={t("access.copy")} />
        <Button kind="quiet" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {t("access.guests.revoke")}
        </Button>
      </div>
    </li>
  );
}
