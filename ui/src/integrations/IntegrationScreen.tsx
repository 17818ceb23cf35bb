// One integration: what it is and may do, whether it is installed, what it is told, and on which spaces and sites it
// is.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Blocks, ChevronRight, Trash2 } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { api, done, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { AskDialog } from "../look/AskDialog";
import { t } from "../words/words";
import { type Described, hasSettings } from "./configuration";
import styles from "./Integrations.module.css";
import { type Integration, installationOf, installed, integrationOf, root } from "./queries";
import { OnContent } from "./OnContent";
import { Settings } from "./Settings";
import { StatusBadge } from "./StatusBadge";

const Markdown = lazy(() => import("../kit/Markdown").then(({ Markdown }) => ({ default: Markdown })));

export function IntegrationScreen() {
  const { organization = "", integration: name = "" }: { organization?: string; integration?: string } = useParams({
    strict: false,
  });
  const queries = useQueryClient();
  const about = useQuery(myOrganizations).data?.find((each) => each.id === organization);
  const asked = useQuery(integrationOf(organization, name));
  const may = about?.permissions.installIntegration ?? false;
  const lists = about?.permissions.listInstallations ?? false;
  const installation = useQuery({ ...installationOf(organization, name), enabled: lists });
  const [asking, ask] = useState(false);
  const refresh = useCallback(
    () => queries.invalidateQueries({ queryKey: organizations.integrations(organization) }),
    [queries, organization],
  );
  const refreshed = useCallback(() => void refresh(), [refresh]);
  const install = useMutation({
    mutationFn: () =>
      taken(api.POST(`${root}/installations`, { params: { path: { integrationName: name } }, body: { organization } })),
    onSuccess: refresh,
  });
  const path = { integrationName: name, installationId: installation.data?.id ?? "" };
  const configure = useMutation({
    mutationFn: (configuration: Record<string, unknown>) =>
      taken(api.PATCH(installed, { params: { path }, body: { configuration } })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => done(api.DELETE(installed, { params: { path } })),
    onSuccess: refresh,
  });
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <main id="main" className={styles.screen}><Skeleton lines={8} /></main>;
  const integration = asked.data;
  const there = installation.data;
  const failure = install.error ?? remove.error ?? installation.error;
  const { account, space, site } = integration.configurations as Record<string, Described | undefined>;
  // What is set for each space or site alone stands there.
  const settings = hasSettings(account) || !(hasSettings(space) || hasSettings(site));
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={integration.title} />
      <nav aria-label={t("space.path")} className={styles.path}>
        <Link to="/orgs/$organization/integrations" params={{ organization }}>
          {t("integrations.title")}
        </Link>
        <ChevronRight aria-hidden />
        <span aria-current="page">{integration.title}</span>
      </nav>
      <header className={styles.head}>
        <span className={styles.icon} aria-hidden>
          {integration.urls.icon ? <img src={integration.urls.icon} alt="" /> : <Blocks />}
        </span>
        <div className={styles.words}>
          <h1 className={styles.title}>{integration.title}</h1>
          <p className={styles.note}>
            {t("integrations.by", { owner: integration.owner.title, version: integration.version })}
          </p>
        </div>
        <StatusBadge status={there?.status} />
        {(may || integration.permissions.admin) && (
          <Link
            to="/orgs/$organization/integrations/$integration/events"
            params={{ organization, integration: name }}
            className={buttonClass()}
          >
            {t("events.title")}
          </Link>
        )}
        {may && there === null && (
          <Button kind="primary" busy={install.isPending} onClick={() => install.mutate()}>
            {t("integrations.install")}
          </Button>
        )}
      </header>
      {failure && <Failed failure={failure} />}
      <About integration={integration} />
      {there && (
        <>
          {there.status === "paused" && <Banner kind="warning">{t("integrations.paused")}</Banner>}
          {settings && (
            <section className={styles.part} aria-labelledby="integration-configuration">
              <h2 id="integration-configuration" className={styles.heading}>
                {t("integrations.configuration")}
              </h2>
              {may ? (
                <Settings
                  integration={name}
                  status={there.status}
                  context={{ type: "configuration_account", organizationId: organization }}
                  props={{ installation: there }}
                  endpoint={there.urls.publicEndpoint}
                  onRefresh={refreshed}
                  described={account}
                  configuration={there.configuration}
                  busy={configure.isPending}
                  failure={configure.error}
                  saved={configure.isSuccess}
                  onSave={(configuration) => configure.mutate(configuration)}
                />
              ) : (
                <p className={styles.note}>{t("integrations.admins")}</p>
              )}
            </section>
          )}
          {integration.target !== "organization" && integration.target !== "site" && (
            <OnContent
              kind="space"
              organization={organization}
              integration={integration}
              installation={there}
              may={may}
            />
          )}
          {integration.target !== "organization" && integration.target !== "space" && (
            <OnContent
              kind="site"
              organization={organization}
              integration={integration}
              installation={there}
              may={may}
            />
          )}
          {may && (
            <section className={styles.part}>
              <Button
                kind="danger"
                icon={<Trash2 aria-hidden size={16} />}
                busy={remove.isPending}
                onClick={() => ask(true)}
              >
                {t("integrations.uninstall")}
              </Button>
            </section>
          )}
        </>
      )}
      {asking && (
        <AskDialog
          title={t("integrations.uninstall.title", { title: integration.title })}
          text={t("integrations.uninstall.text")}
          action={t("integrations.uninstall")}
          onClose={() => ask(false)}
          onYes={() => {
            ask(false);
            remove.mutate();
          }}
        />
      )}
    </main>
  );
}

function About({ integration }: { integration: Integration }) {
  return (
    <section className={styles.part} aria-label={t("integrations.about")}>
      <Suspense fallback={<Skeleton lines={4} />}>
        <Markdown text={(integration.summary || integration.description).replace(/^#{1,4} /gm, "#$&")} />
      </Suspense>
      {(integration.blocks ?? []).length > 0 && (
        <p className={styles.note}>
          {t("integrations.blocks", { blocks: integration.blocks!.map(({ title }) => title).join(", ") })}
        </p>
      )}
      {(integration.scopes ?? []).length > 0 && (
        <p className={styles.note}>
          {t("integrations.scopes")} {integration.scopes!.map((each) => <code key={each}>{each}</code>)}
        </p>
      )}
      {(integration.externalLinks ?? []).map(({ label, url }) => (
        <a key={url} href={url} target="_blank" rel="noreferrer" className={styles.link}>
          {label}
        </a>
      ))}
    </section>
  );
}
