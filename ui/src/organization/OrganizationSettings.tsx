// The settings of an organization: its name and looks, how people sign in, how far search has come, and what was done.
// For admins.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { Failure } from "../api/client";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { Audit } from "./Audit";
import { General } from "./General";
import { Search } from "./Search";
import styles from "./Settings.module.css";
import { SignIn } from "./SignIn";
import { tabs } from "./tabs";

export function OrganizationSettings() {
  const { organization: id } = useParams({ from: "/orgs/$organization/settings" });
  const { show = "general" } = useSearch({ from: "/orgs/$organization/settings" });
  const asked = useQuery(myOrganizations);
  const organization = asked.data?.find((each) => each.id === id);
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked.data && !organization) return <Refused failure={new Failure(404, t("nothing.text"))} onRetry={() => {}} />;
  if (organization && !organization.permissions.admin)
    return <Refused failure={new Failure(403, t("organization.closed"))} onRetry={() => {}} />;
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("shell.settings")} />
      <p className={styles.above}>{organization?.title}</p>
      <h1 className={styles.title}>{t("shell.settings")}</h1>
      <nav className={styles.tabs} aria-label={t("organization.parts")}>
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="/orgs/$organization/settings"
            params={{ organization: id }}
            search={tab === "general" ? {} : { show: tab }}
            className={styles.tab}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={tab === show ? "page" : undefined}
          >
            {t(`organization.tab.${tab}`)}
          </Link>
        ))}
      </nav>
      {!organization && <Skeleton shape="rows" lines={6} />}
      {organization && show === "general" && <General key={id} organization={organization} />}
      {organization && show === "sign-in" && <SignIn organization={organization} />}
      {organization && show === "search" && <Search organization={organization} />}
      {organization && show === "audit" && <Audit organization={organization} />}
    </main>
  );
}
