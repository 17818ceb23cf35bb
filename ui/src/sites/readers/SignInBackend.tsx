// Who signs the visitors of a site in: a program of the organization's own, or an integration on the site that may.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Schemas } from "../../api/client";
import { Banner } from "../../look/Banner";
import { Failed } from "../../look/Failed";
import { t } from "../../words/words";
import { integrationsOf } from "../queries";
import { useShown } from "../shown";
import sites from "../Sites.module.css";
import { letIn } from "./backends";
import styles from "./Readers.module.css";

type Auth = Schemas["PublishingAuth"];
type Props = { auth: Auth; busy: boolean; onChoose: (backend: Auth["backend"], integration?: string) => void };

// SignInBackend offers what works on the site. An integration that was chosen and does not any more stays to be seen.
export function SignInBackend({ auth, busy, onChoose }: Props) {
  const { organization, site } = useShown();
  const name = useId();
  const asked = useQuery(integrationsOf(organization, site.id));
  const offered = letIn(asked.data ?? []);
  const lost =
    auth.integration && asked.isSuccess && !offered.some((each) => each.name === auth.integration)
      ? auth.integration
      : undefined;
  return (
    <fieldset className={styles.backends} disabled={busy}>
      <legend className={sites.label}>{t("siteReaders.backend")}</legend>
      <label className={sites.choice}>
        <input type="radio" name={name} checked={auth.backend === "custom"} onChange={() => onChoose("custom")} />
        <span>
          <span className={sites.label}>{t("siteReaders.backend.custom")}</span>
          <span className={sites.note}>{t("siteReaders.backend.custom.text")}</span>
        </span>
      </label>
      {[...offered, ...(lost ? [{ name: lost, title: lost }] : [])].map((each) => (
        <label key={each.name} className={sites.choice}>
          <input
            type="radio"
            name={name}
            checked={auth.integration === each.name}
            onChange={() => onChoose("integration", each.name)}
          />
          <span>
            <span className={sites.label}>{each.title}</span>
            {each.name !== lost && <span className={sites.note}>{t("siteReaders.backend.integration.text")}</span>}
          </span>
        </label>
      ))}
      {lost && <Banner kind="warning">{t("siteReaders.backend.lost", { name: lost })}</Banner>}
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isSuccess && offered.length === 0 && (
        <p className={sites.note}>
          {t("siteReaders.backend.none")}{" "}
          <Link to="/orgs/$organization/integrations" params={{ organization }}>
            {t("siteReaders.backend.find")}
          </Link>
        </p>
      )}
    </fieldset>
  );
}
