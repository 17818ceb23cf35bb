// The sites of an organization: where each is, and who may read it.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ExternalLink, Globe, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { NewSite } from "./NewSite";
import { sitesOf } from "./queries";
import styles from "./Sites.module.css";

export function Sites() {
  const { organization: id = "" }: { organization?: string } = useParams({ strict: false });
  const asked = useQuery(sitesOf(id));
  const organization = useQuery(myOrganizations).data?.find((each) => each.id === id);
  const [making, make] = useState(false);
  const may = organization?.permissions.createContent ?? false;
  const add = (
    <Button kind="primary" icon={<Plus />} onClick={() => make(true)}>
      {t("sites.new")}
    </Button>
  );
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("sites.title")} />
      <header className={styles.head}>
        <div>
          <p className={styles.above}>{organization?.title}</p>
          <h1 className={styles.title}>{t("sites.title")}</h1>
        </div>
        {may && add}
      </header>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.data?.length === 0 && (
        <EmptyState icon={<Globe />} title={t("sites.none")} action={may && add}>
          {t("sites.what")}
        </EmptyState>
      )}
      {asked.data && asked.data.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.map((site) => (
            <li key={site.id} className={styles.row}>
              <Link
                to="/orgs/$organization/sites/$site"
                params={{ organization: id, site: site.id }}
                className={styles.name}
              >
                {site.title}
              </Link>
              <span className={styles.state} data-on={site.published}>
                {t(site.published ? `sites.visibility.${site.visibility}` : "sites.off")}
              </span>
              {site.published && site.urls.published ? (
                <a href={site.urls.published} target="_blank" rel="noreferrer" className={styles.address}>
                  {site.urls.published.replace(/^https?:\/\//, "")}
                  <ExternalLink aria-hidden />
                </a>
              ) : (
                <span />
              )}
            </li>
          ))}
        </ul>
      )}
      {making && <NewSite organization={id} onClose={() => make(false)} />}
    </main>
  );
}
