// The people of an organization: members and guests, teams, and who was invited.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Failure } from "../api/client";
import { Button } from "../look/Button";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { Invitations } from "./Invitations";
import { InviteDialog } from "./InviteDialog";
import { Members } from "./Members";
import styles from "./People.module.css";
import { type Tab, tabs } from "./tabs";
import { Teams } from "./Teams";

export function People() {
  const { organization: id } = useParams({ from: "/orgs/$organization/people" });
  const { show = "members" }: { show?: Tab } = useSearch({ from: "/orgs/$organization/people" });
  const [inviting, invite] = useState(false);
  const asked = useQuery(myOrganizations);
  const organization = asked.data?.find((each) => each.id === id);
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked.data && !organization) return <Refused failure={new Failure(404, t("nothing.text"))} onRetry={() => {}} />;
  if (organization && !organization.permissions.listMembers)
    return <Refused failure={new Failure(403, t("people.closed"))} onRetry={() => {}} />;
  const admin = organization?.permissions.admin === true;
  const offered = tabs.filter(
    (tab) => tab === "members" || (tab === "teams" ? organization?.permissions.listTeams : admin),
  );
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("shell.people")} />
      <header className={styles.head}>
        <div>
          <p className={styles.above}>{organization?.title}</p>
          <h1 className={styles.title}>{t("shell.people")}</h1>
        </div>
        {admin && (
          <Button kind="primary" icon={<UserPlus />} onClick={() => invite(true)}>
            {t("invite.people")}
          </Button>
        )}
      </header>
      {!organization && <Skeleton shape="rows" lines={6} />}
      {organization && (
        <>
          <nav className={styles.tabs} aria-label={t("people.lists")}>
            {offered.map((tab) => (
              <Link
                key={tab}
                to="/orgs/$organization/people"
                params={{ organization: id }}
                search={tab === "members" ? {} : { show: tab }}
                className={styles.tab}
                activeOptions={{ exact: true, includeSearch: true }}
                aria-current={tab === show ? "page" : undefined}
              >
                {t(`people.tab.${tab}`)}
              </Link>
            ))}
          </nav>
          {show === "members" && <Members organization={organization} />}
          {show === "teams" && <Teams organization={organization} />}
          {show === "invitations" && admin && <Invitations organization={organization} onInvite={() => invite(true)} />}
        </>
      )}
      {inviting && <InviteDialog organization={id} onClose={() => invite(false)} />}
    </main>
  );
}
