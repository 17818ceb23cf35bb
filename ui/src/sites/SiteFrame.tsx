// What all screens of a site stand in: its name, whether it is on the air, and the ways to its parts.
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { ChevronRight, ExternalLink } from "lucide-react";
import { api, taken } from "../api/client";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { at, root, type Site, siteOf } from "./queries";
import { ShownSite } from "./shown";
import styles from "./Sites.module.css";
import { useSite } from "./useSite";

const parts = [
  { to: "/orgs/$organization/sites/$site", title: "sites.part.site", may: () => true },
  { to: "/orgs/$organization/sites/$site/structure", title: "sites.structure", may: () => true },
  { to: "/orgs/$organization/sites/$site/readers", title: "sites.audience", may: () => true },
  {
    to: "/orgs/$organization/sites/$site/look",
    title: "siteLook.title",
    may: ({ permissions }: Site) => permissions.edit,
  },
  {
    to: "/orgs/$organization/sites/$site/insights",
    title: "siteFeedback.title",
    may: ({ permissions }: Site) => permissions.edit,
  },
] as const;

export function SiteFrame() {
  const { organization = "", site: id = "" }: { organization?: string; site?: string } = useParams({ strict: false });
  const asked = useQuery(siteOf(organization, id));
  const change = useSite(organization);
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <main id="main" className={styles.screen}><Skeleton lines={8} /></main>;
  const site = asked.data;
  const publish = () =>
    change.mutate(() => taken(api.POST(`${root}/publish`, { params: { path: at(organization, id) } })));
  const address = site.urls.published;
  return (
    <main id="main" tabIndex={-1} className={styles.frame}>
      <Title text={site.title} />
      <div className={styles.top}>
        <nav aria-label={t("space.path")} className={styles.path}>
          <Link to="/orgs/$organization/sites" params={{ organization }}>
            {t("sites.title")}
          </Link>
          <ChevronRight aria-hidden />
          <span aria-current="page">{site.title}</span>
        </nav>
        <header className={styles.head}>
          <div>
            <h1 className={styles.title}>{site.title}</h1>
            <p className={styles.state} data-on={site.published}>
              {t(site.published ? `sites.visibility.${site.visibility}` : "sites.off")}
            </p>
          </div>
          <div className={styles.line}>
            {address && (
              <a href={address} target="_blank" rel="noreferrer" className={buttonClass("plain")}>
                <ExternalLink aria-hidden size={16} />
                {t("sites.open")}
              </a>
            )}
            {site.permissions.admin && !site.published && (
              <Button kind="primary" busy={change.isPending} onClick={publish}>
                {t("sites.publish")}
              </Button>
            )}
          </div>
        </header>
        <nav aria-label={t("sites.parts")} className={styles.tabs}>
          {parts
            .filter(({ may }) => may(site))
            .map(({ to, title }) => (
              <Link
                key={to}
                to={to}
                params={{ organization, site: id }}
                activeOptions={{ exact: true }}
                className={styles.tab}
              >
                {t(title)}
              </Link>
            ))}
        </nav>
        {change.isError && <Failed failure={change.error} />}
      </div>
      <ShownSite value={{ organization, site, change }}>
        <Outlet />
      </ShownSite>
    </main>
  );
}
