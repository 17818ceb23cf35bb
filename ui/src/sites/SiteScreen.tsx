// Where a site is, how programs may read it, where old addresses lead, and how it ends.
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { api, done, type Schemas, taken } from "../api/client";
import { AskDialog } from "../look/AskDialog";
import { Button } from "../look/Button";
import { SavedField } from "../options/SavedField";
import { Toggle } from "../options/Toggle";
import { t } from "../words/words";
import { Hostname } from "./Hostname";
import { at, root } from "./queries";
import { Redirects } from "./Redirects";
import { useShown } from "./shown";
import { SiteIntegrations } from "./SiteIntegrations";
import styles from "./Sites.module.css";

export function SiteScreen() {
  const { organization, site, change } = useShown();
  const navigate = useNavigate();
  const [asking, ask] = useState<"unpublish" | "delete" | null>(null);
  const path = at(organization, site.id);
  const { edit, admin } = site.permissions;
  const patch = (body: Schemas["UpdateSiteInputBody"]) =>
    change.mutateAsync(() => taken(api.PATCH(root, { params: { path }, body })));
  return (
    <div className={styles.body}>
      <fieldset className={styles.part} disabled={!edit}>
        <legend className={styles.heading}>{t("sites.where")}</legend>
        <SavedField
          label={t("home.spaceTitle")}
          value={site.title}
          minLength={2}
          maxLength={128}
          autoComplete="off"
          onSave={(title) => patch({ title: title.trim() })}
        />
        <SavedField
          label={t("sites.basename")}
          hint={site.urls.published ?? t("sites.basename.hint")}
          value={site.basename ?? ""}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          onSave={(basename) => patch({ basename: basename.trim() })}
        />
        <Hostname site={site} may={admin} onChange={(hostname) => patch({ hostname })} />
        <SavedField
          label={t("sites.proxy")}
          hint={site.proxy ? t("sites.proxy.target", { target: site.proxy.target }) : t("sites.proxy.hint")}
          placeholder="example.com/docs"
          value={site.proxy?.origin ?? ""}
          disabled={!admin}
          maxLength={2048}
          spellCheck={false}
          autoComplete="off"
          onSave={(proxy) => patch({ proxy: proxy.trim() || null })}
        />
        <Toggle
          label={t("sites.agents")}
          checked={site.agentsContext === "included"}
          onChange={(on) => void patch({ agentsContext: on ? "included" : "excluded" }).catch(() => undefined)}
        />
        <p className={styles.note}>{t("sites.agents.text")}</p>
      </fieldset>
      {site.permissions.installIntegration && <SiteIntegrations />}
      {edit && <Redirects organization={organization} site={site.id} change={change} />}
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
          onYes={() => {
            ask(null);
            change.mutate(
              () =>
                asking === "delete"
                  ? done(api.DELETE(root, { params: { path } }))
                  : taken(api.POST(`${root}/unpublish`, { params: { path } })),
              {
                onSuccess: () =>
                  asking === "delete" && void navigate({ to: "/orgs/$organization/sites", params: { organization } }),
              },
            );
          }}
        />
      )}
    </div>
  );
}
