import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Role } from "../access/role";
import type { Schemas } from "../api/client";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Switch } from "../look/Switch";
import { MemberRole } from "../people/MemberRole";
import type { Organization } from "../shell/organization";
import { t } from "../words/words";
import { Logo } from "./Logo";
import styles from "./Settings.module.css";
import { update } from "./queries";

// General is what an organization is called and looks like, and what people get who come in.
export function General({ organization }: { organization: Organization }) {
  const links = useId();
  const queries = useQueryClient();
  const [role, setRole] = useState(organization.defaultRole as Role | null);
  const change = useMutation({
    mutationFn: (body: Schemas["UpdateOrganizationInputBody"]) => update(organization.id, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.all }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const logo = text("logo");
    change.mutate({
      ...(text("title") === organization.title ? {} : { title: text("title") }),
      ...(text("hostname") && text("hostname") !== organization.hostname ? { hostname: text("hostname") } : {}),
      ...(logo ? { logo } : {}),
      ...(role === organization.defaultRole ? {} : { defaultRole: role }),
    });
  };
  return (
    <div className={styles.parts}>
      <form className={styles.form} onSubmit={submit}>
        <Field
          name="title"
          label={t("organization.title")}
          required
          minLength={2}
          maxLength={255}
          autoComplete="off"
          defaultValue={organization.title}
        />
        <Field
          name="hostname"
          label={t("organization.hostname")}
          hint={t("organization.hostname.hint", {
            address: `${location.origin}/sites/${organization.hostname ?? "…"}/`,
          })}
          minLength={3}
          maxLength={32}
          pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          title={t("organization.hostname.wrong")}
          spellCheck={false}
          autoComplete="off"
          defaultValue={organization.hostname ?? ""}
        />
        <Logo organization={organization} save={(logo) => change.mutateAsync({ logo })} />
        <div className={styles.line}>
          <div className={styles.words}>
            <span className={styles.label}>{t("organization.role")}</span>
            <span className={styles.about}>{t("organization.role.text")}</span>
          </div>
          <MemberRole label={t("organization.role")} value={role} onChange={setRole} />
        </div>
        {change.isError && <Failed failure={change.error} />}
        <div className={styles.actions}>
          <Button kind="primary" type="submit" busy={change.isPending}>
            {t("place.save")}
          </Button>
          <span role="status" className={styles.done}>
            {change.isSuccess && t("organization.saved")}
          </span>
        </div>
      </form>
      <div className={styles.line}>
        <div className={styles.words}>
          <span id={links} className={styles.label}>
            {t("organization.links")}
          </span>
          <span className={styles.about}>{t("organization.links.text")}</span>
        </div>
        <Switch
          checked={organization.inviteLinks}
          labelledBy={links}
          onChange={(on) => change.mutate({ inviteLinks: on })}
        />
      </div>
      <section aria-labelledby="settings-mine">
        <h2 id="settings-mine" className={styles.heading}>
          {t("organization.mine")}
        </h2>
        <ul className={styles.links}>
          {(["tokens", "security", "sessions", "organizations"] as const).map((page) => (
            <li key={page}>
              <a href={`/account/${page}`}>{t(`organization.mine.${page}`)}</a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
