// Development mode of an integration: its events go to a machine of its author's in place of its script.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent } from "react";
import { api, done } from "../api/client";
import { organizations } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Integrations.module.css";
import { type Integration, root } from "./queries";

export function Development({
  organization,
  integration: { name, development },
}: {
  organization: string;
  integration: Integration;
}) {
  const queries = useQueryClient();
  const path = { integrationName: name };
  const onSuccess = () => queries.invalidateQueries({ queryKey: organizations.integrations(organization) });
  const begin = useMutation({
    mutationFn: (body: { tunnelUrl: string; all: boolean }) => done(api.PUT(`${root}/dev`, { params: { path }, body })),
    onSuccess,
  });
  const end = useMutation({ mutationFn: () => done(api.DELETE(`${root}/dev`, { params: { path } })), onSuccess });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    begin.mutate({ tunnelUrl: String(form.get("tunnel") ?? "").trim(), all: form.has("all") });
  };
  const failure = begin.error ?? end.error;
  return (
    <section className={styles.part} aria-labelledby="integration-development">
      <h2 id="integration-development" className={styles.heading}>
        {t("events.development")}
      </h2>
      {failure && <Failed failure={failure} />}
      {development ? (
        <Banner
          kind="warning"
          actions={
            <Button busy={end.isPending} onClick={() => end.mutate()}>
              {t("events.development.end")}
            </Button>
          }
        >
          {t(development.all ? "events.development.on.all" : "events.development.on", {
            address: development.tunnelUrl,
          })}
        </Banner>
      ) : (
        <form className={styles.form} onSubmit={submit}>
          <p className={styles.note}>{t("events.development.what")}</p>
          <Field
            label={t("events.development.address")}
            name="tunnel"
            type="url"
            required
            placeholder="https://…"
            autoComplete="off"
            spellCheck={false}
          />
          <label className={styles.choice}>
            <input type="checkbox" name="all" />
            {t("events.development.all")}
          </label>
          <div className={styles.line}>
            <Button type="submit" busy={begin.isPending}>
              {t("events.development.begin")}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
