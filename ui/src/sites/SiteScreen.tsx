// A site: whether it is on the air and where, who may read it, what is on it, and where old addresses lead.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronRight, ExternalLink, Palette, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, done, type Schemas, taken } from "../api/client";
import { AskDialog } from "../look/AskDialog";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { SavedField } from "../options/SavedField";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { Audience } from "./Audience";
import { Hostname } from "./Hostname";
import { at, root, siteOf } from "./queries";
import { Redirects } from "./Redirects";
import styles from "./Sites.module.css";
import { Structure } from "./Structure";
import { useSite } from "./useSite";

export function SiteScreen() {
  const { organization = "", site: id = "" }: { organization?: string; site?: string } = useParams({ strict: false });
  const asked = useQuery(siteOf(organization, id));
  const change = useSite(organization);
  const navigate = useNavigate();
  const [asking, ask] = useState<"unpublish" | "delete" | null>(null);
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <main id="main" className={styles.screen}><Skeleton lines={8} /></main>;
  const site = asked.data;
  const path = at(organization, id);
  const { edit, admin } = site.permissions;
  const patch = (body: Schemas["UpdateSiteInputBody"]) => change.mutateAsync(() => taken(api.PATCH(root, { params: { path }, body })));
  const publish = () => change.mutate(() => taken(api.POST(`${root}/publish`, { params: { path } })));
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={site.title} />
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
          {site.published && site.urls.published && (
            <a href={site.urls.published} target="_blank" rel="noreferrer" className={buttonClass("plain")}>
              <ExternalLink aria-hidden size={16} />
              {t("sites.open")}
            </a>
          )}
          {!site.published && site.urls.preview && (
            <a href={site.urls.preview} target="_blank" rel="noreferrer" className={buttonClass("plain")}>
              <ExternalLink aria-hidden size={16} />
              {t("sites.preview")}
            </a>
          )}
          {edit && (
            <Link to="/orgs/$organization/sites/$site/look" params={{ organization, site: id }} className={buttonClass("plain")}>
              <Palette aria-hidden size={16} />
              {t("siteLook.title")}
            </Link>
          )}
          {admin && !site.published && (
            <Button kind="primary" busy={change.isPending} onClick={publish}>
              {t("sites.publish")}
            </Button>
          )}
        </div>
      </header>
      {change.isError && <Failed failure={change.error} />}
      <fieldset className={styles.part} disabled={!edit}>
        <legend className={styles.heading}>{t("sites.where")}</legend>
        <SavedField label={t("home.spaceTitle")} value={site.title} minLength={2} maxLength={128} autoComplete="off" onSave={(title) => patch({ title: title.trim() })} />
        <SavedField label={t("sites.basename")} hint={site.urls.published ?? t("sites.basename.hint")} value={site.basename ?? ""} maxLength={100} spellCheck={false} autoComplete="off" onSave={(basename) => patch({ basename: basename.trim() })} />
        <Hostname site={site} may={admin} onChange={(hostname) => patch({ hostname })} />
      </fieldset>
      <Audience organization={organization} site={site} change={change} onVisibility={(visibility) => void patch({ visibility }).catch(() => undefined)} />
      <Structure organization={organization} site={site} change={change} />
      {edit && <Redirects organization={organization} site={id} change={change} />}
      {admin && (
        <section className={styles.part} aria-labelledby="site-end">
          <h2 id="site-end" className={styles.heading}>
            {t("sites.end")}
          </h2>
          <div className={styles.line}>
            {site.published && <Button onClick={() => ask("unpublish")}>{t("sites.unpublish")}</Button>}
            <Button kind="danger" icon={<Trash2 aria-hidden size={16} />} onClick={() => ask("delete")}>
              {t("sites.delete")}
            </Button>
          </div>
        </section>
      )}
      {asking && (
        <AskDialog
          title={t(`sites.${asking}.title`, { title: site.title })}
          text={t(`sites.${asking}.text`)}
          action={t(`sites.${asking}`)}
          onClose={() => ask(null)}
          onYes={() =>
            change.mutate(() => (asking === "delete" ? done(api.DELETE(root, { params: { path } })) : taken(api.POST(`${root}/unpublish`, { params: { path } }))), {
              onSuccess: () => asking === "delete" && void navigate({ to: "/orgs/$organization/sites", params: { organization } }),
            })
          }
        />
      )}
    </main>
  );
}
