import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client";
import { all } from "../api/all";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import { at, keyOf, root } from "./queries";
import { useShown } from "./shown";
import styles from "./Sites.module.css";

// SiteIntegrations names the integrations that are on a site.
export function SiteIntegrations() {
  const { organization, site } = useShown();
  const asked = useQuery({
    queryKey: [...keyOf(organization, site.id), "integrations"],
    queryFn: () =>
      all((query) => api.GET(`${root}/integrations`, { params: { path: at(organization, site.id), query } })),
  });
  return (
    <section className={styles.part} aria-labelledby="site-integrations">
      <h2 id="site-integrations" className={styles.heading}>
        {t("siteIntegrations.title")}
      </h2>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data?.length === 0 && (
        <p className={styles.note}>
          {t("siteIntegrations.none")}{" "}
          <Link to="/orgs/$organization/integrations" params={{ organization }} className={styles.address}>
            {t("integrations.space.toAll")}
          </Link>
        </p>
      )}
      {asked.data && asked.data.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.map((each) => (
            <li key={each.name} className={styles.link}>
              <Link
                to="/orgs/$organization/integrations/$integration"
                params={{ organization, integration: each.name }}
                className={styles.label}
              >
                {each.title}
              </Link>
              <span className={styles.note}>{each.description}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
