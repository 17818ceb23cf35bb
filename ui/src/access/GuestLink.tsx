import { useMutation } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../look/Button";
import { CopyButton } from "../look/CopyButton";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import styles from "./Access.module.css";
import { guestLink, type Place, revokeLink } from "./queries";
import { type Role, roleName, upTo } from "./role";
import { RoleSelect } from "./RoleSelect";
import type { AccessState } from "./useAccess";

// GuestLink makes a link for somebody outside of the organization: whoever has it comes in as a guest, and sees nothing
// else.
export function GuestLink({ place, state }: { place: Place; state: AccessState }) {
  const [role, setRole] = useState<Role>("read");
  const make = useMutation({ mutationFn: () => guestLink(place, state.organization, role) });
  const revoke = useMutation({
    mutationFn: (link: string) => revokeLink(state.organization, link),
    onSuccess: () => make.reset(),
  });
  const address = make.data && `${location.origin}/invites/${state.organization}/${make.data.id}`;
  return (
    <section className={styles.section} aria-labelledby="access-guests">
      <h2 id="access-guests" className={styles.heading}>
        {t("access.guests")}
      </h2>
      <p className={styles.about}>{t("access.guests.text")}</p>
      {make.isError && <Failed failure={make.error} />}
      {revoke.isError && <Failed failure={revoke.error} />}
      {address ? (
        <>
          <div className={styles.add}>
            <input
              className={styles.address}
              readOnly
              value={address}
              aria-label={t("access.guests.link")}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={address} label={t("access.copy")} />
            <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate(make.data!.id)}>
              {t("access.guests.revoke")}
            </Button>
          </div>
          <p className={styles.about}>{t("access.guests.made", { role: roleName(role) })}</p>
        </>
      ) : (
        <div className={styles.add}>
          <RoleSelect
            label={t("access.guests.role")}
            value={role}
            roles={upTo(state.mine?.permission)}
            onChange={setRole}
          />
          <Button icon={<Link2 />} busy={make.isPending} onClick={() => make.mutate()}>
            {t("access.guests.make")}
          </Button>
        </div>
      )}
    </section>
  );
}
