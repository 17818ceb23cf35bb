import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { organizations } from "../api/queries";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { myOrganizations, type Organization } from "../shell/organization";
import { t } from "../words/words";
import styles from "./Settings.module.css";
import { domainOf, update } from "./queries";

// Domains are those whose addresses let people join by themselves. A new one is proven by a record, which is shown.
export function Domains({ organization }: { organization: Organization }) {
  const queries = useQueryClient();
  const domains = organization.emailDomains ?? [];
  const [typed, setTyped] = useState("");
  const change = useMutation({
    // One after the other, each from what the one before has left.
    scope: { id: `domains-${organization.id}` },
    mutationFn: ({ add, remove }: { add?: string; remove?: string }) => {
      const known = queries.getQueryData(myOrganizations.queryKey)?.find(({ id }) => id === organization.id);
      const kept = (known?.emailDomains ?? domains).filter((each) => each !== remove && each !== add);
      return update(organization.id, { emailDomains: add ? [...kept, add] : kept });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.all }),
  });
  const ask = useMutation({
    mutationFn: async (domain: string) => {
      const proof = await domainOf(organization.id, domain);
      if (proof.verified) {
        await change.mutateAsync({ add: domain });
        setTyped("");
      }
      return proof;
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const domain = typed.trim().toLowerCase().replace(/^@/, "");
    if (domain) ask.mutate(domain);
  };
  const record = ask.data && !ask.data.verified ? ask.data.record : undefined;
  return (
    <section aria-labelledby="settings-domains">
      <h2 id="settings-domains" className={styles.heading}>
        {t("domain.title")}
      </h2>
      <p className={styles.about}>{t("domain.text")}</p>
      <ul className={styles.rows}>
        {domains.map((domain) => (
          <li key={domain} className={styles.row}>
            <span className={styles.words}>{domain}</span>
            <IconButton
              label={t("domain.remove", { domain })}
              disabled={change.isPending}
              onClick={() => change.mutate({ remove: domain })}
            >
              <X />
            </IconButton>
          </li>
        ))}
      </ul>
      <form className={styles.add} onSubmit={submit}>
        <Field
          label={t("domain.add")}
          placeholder="example.org"
          maxLength={253}
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" busy={ask.isPending} disabled={!typed.trim()}>
          {t(record ? "domain.check" : "domain.go")}
        </Button>
      </form>
      {(ask.isError || change.isError) && <Failed failure={ask.error ?? change.error} />}
      {record && (
        <div role="status" className={styles.record}>
          <p>{t("domain.record")}</p>
          <dl>
            <dt>{t("domain.record.type")}</dt>
            <dd>{record.type}</dd>
            <dt>{t("domain.record.name")}</dt>
            <dd>{record.name}</dd>
            <dt>{t("domain.record.value")}</dt>
            <dd>{record.value}</dd>
          </dl>
        </div>
      )}
    </section>
  );
}
