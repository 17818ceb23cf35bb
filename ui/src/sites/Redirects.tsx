// Where addresses lead that the site does not have any more, or never had.
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Trash2 } from "lucide-react";
import type { FormEvent } from "react";
import { api, done, taken } from "../api/client";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { at, destinationOf, leadsTo, redirectsOf, root } from "./queries";
import styles from "./Sites.module.css";
import type { SiteChange } from "./useSite";

export function Redirects({ organization, site, change }: { organization: string; site: string; change: SiteChange }) {
  const asked = useQuery(redirectsOf(organization, site));
  const path = at(organization, site);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const [from, to] = [String(data.get("source")).trim(), String(data.get("destination")).trim()];
    if (!from || !to) return;
    const body = { source: from.startsWith("/") ? from : `/${from}`, destination: destinationOf(to) };
    change.mutate(() => taken(api.POST(`${root}/redirects`, { params: { path }, body })), {
      onSuccess: () => form.reset(),
    });
  };
  return (
    <section className={styles.part} aria-labelledby="site-redirects">
      <h2 id="site-redirects" className={styles.heading}>
        {t("sites.redirects")}
      </h2>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && asked.data.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.map((each) => (
            <li key={each.id} className={styles.link}>
              <span className={styles.lead}>
                <code>{each.source}</code>
                <ArrowRight aria-label={t("sites.redirects.to")} />
                <code>{leadsTo(each)}</code>
              </span>
              <IconButton
                label={t("sites.redirects.delete", { source: each.source })}
                onClick={() =>
                  change.mutate(() =>
                    done(
                      api.DELETE(`${root}/redirects/{siteRedirectId}`, {
                        params: { path: { ...path, siteRedirectId: each.id } },
                      }),
                    ),
                  )
                }
              >
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.adding} onSubmit={add}>
        <Field
          name="source"
          label={t("sites.redirects.from")}
          hideLabel
          placeholder={t("sites.redirects.from")}
          required
          maxLength={512}
          spellCheck={false}
          autoComplete="off"
        />
        <Field
          name="destination"
          label={t("sites.redirects.destination")}
          hideLabel
          placeholder={t("sites.redirects.destination")}
          required
          maxLength={2048}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit">{t("sites.redirects.add")}</Button>
      </form>
    </section>
  );
}
