import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useId, useState } from "react";
import type { Role } from "../access/role";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { CopyButton } from "../look/CopyButton";
import { Dialog } from "../look/Dialog";
import { failureText } from "../look/Failed";
import { Field } from "../look/Field";
import { peopleOf } from "../palette/queries";
import { t } from "../words/words";
import { rowsOf } from "./addresses";
import { MemberRole } from "./MemberRole";
import styles from "./People.module.css";
import { write } from "./queries";

// Result is what became of one address.
type Result = { email: string; link?: string; fault?: string; member?: boolean };

type Props = { organization: string; onClose: () => void };

// InviteDialog invites the people whose addresses are pasted. Each address has a row of its own, with what is wrong
// with it or what became of it.
export function InviteDialog({ organization, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const members = useQuery(peopleOf(organization)).data ?? [];
  const [text, setText] = useState("");
  const [role, setRole] = useState<Role | null>("edit");
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<Result[]>([]);
  const isMember = (email: string) => members.some(({ user }) => user.email?.toLowerCase() === email.toLowerCase());
  const rows = rowsOf(text);
  const good = rows.filter(({ email, fault }) => !fault && !isMember(email));

  // Each address is sent by itself, so that one that is refused keeps no other from going.
  const send = async () => {
    setBusy(true);
    const said: Result[] = [];
    for (const { email } of good) {
      try {
        const { invites } = await write.invite(organization, [email], role);
        const link = invites?.[0]?.urls.accept;
        said.push({ email, member: !invites?.length, ...(link ? { link } : {}) });
      } catch (failure) {
        said.push({ email, fault: failureText(failure) });
      }
    }
    setResults((before) => [...before.filter(({ email }) => !said.some((each) => each.email === email)), ...said]);
    // What could not be sent stays, to be mended.
    setText(
      [
        ...rows.filter(({ fault }) => fault === "address").map(({ email }) => email),
        ...said.filter(({ fault }) => fault).map(({ email }) => email),
      ].join("\n"),
    );
    setBusy(false);
    void queries.invalidateQueries({ queryKey: organizations.invites(organization) });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t(results.length > 0 ? "look.close" : "look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={busy} disabled={good.length === 0}>
        {good.length > 0 ? t("invite.send", { count: good.length }) : t("invite.go")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("invite.people")}
      description={t("invite.text")}
      actions={actions}
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (good.length > 0) void send();
        }}
      >
        <Field
          label={t("invite.addresses")}
          hint={t("invite.addresses.hint")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          control={<textarea rows={3} spellCheck={false} autoCapitalize="none" />}
        />
        <div className={styles.line}>
          <span className={styles.label}>{t("invite.role")}</span>
          <MemberRole label={t("invite.role")} value={role} onChange={setRole} />
        </div>
        {role === null && <p className={styles.about}>{t("invite.guests")}</p>}
        <ul className={styles.addresses} aria-live="polite">
          {rows.map(({ email, fault }, index) => {
            const refused = results.find((each) => each.email === email)?.fault;
            if (!fault && !refused && !isMember(email)) return null;
            return (
              <li key={`${email} ${index}`} className={styles.address} data-fault>
                <CircleAlert aria-hidden />
                <span className={styles.email}>{email}</span>
                <span>{refused ?? t(fault ? `invite.fault.${fault}` : "invite.member")}</span>
              </li>
            );
          })}
          {results
            .filter(({ fault }) => !fault)
            .map(({ email, link, member }) => (
              <li key={`sent ${email}`} className={styles.address}>
                <CircleCheck aria-hidden />
                <span className={styles.email}>{email}</span>
                <span>{t(member ? "invite.member" : link ? "invite.handOver" : "invite.sent")}</span>
                {link && (
                  <CopyButton kind="quiet" text={link} label={t("access.copy")} />
                )}
              </li>
            ))}
        </ul>
      </form>
    </Dialog>
  );
}
