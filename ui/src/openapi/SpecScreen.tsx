// One API description: whether it could be read, where it comes from, its versions, what it describes, and who uses it.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronRight, Download, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, done, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { AskDialog } from "../look/AskDialog";
import { Time } from "../words/Time";
import { exactly } from "../words/time";
import { t } from "../words/words";
import { Operations } from "./Operations";
import styles from "./OpenAPI.module.css";
import { root, specOf, versionsOf } from "./queries";
import { SpecDialog } from "./SpecDialog";
import { State } from "./State";
import { Uses } from "./Uses";

export function SpecScreen() {
  const { organization = "", slug = "" }: { organization?: string; slug?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asked = useQuery(specOf(organization, slug));
  const [shown, show] = useState<"source" | "delete" | null>(null);
  const path = { organizationId: organization, specSlug: slug };
  const refresh = useMutation({
    mutationFn: (url: string) => taken(api.PUT(root, { params: { path }, body: { source: { url } } })),
    onSuccess: (now) => queries.setQueryData(organizations.spec(organization, slug), now),
  });
  const remove = useMutation({
    mutationFn: () => done(api.DELETE(root, { params: { path } })),
    onSuccess: async () => {
      await navigate({ to: "/orgs/$organization/openapi", params: { organization } });
      await queries.invalidateQueries({ queryKey: organizations.specs(organization) });
    },
  });
  const spec = asked.data;
  const versions = useQuery({ ...versionsOf(organization, slug, spec?.lastVersion), enabled: spec !== undefined });
  if (asked.isError && !spec) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!spec) return <main id="main" className={styles.screen}><Skeleton lines={8} /></main>;
  const { edit } = spec.permissions;
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={spec.slug} />
      <nav aria-label={t("space.path")} className={styles.path}>
        <Link to="/orgs/$organization/openapi" params={{ organization }}>
          {t("openapi.title")}
        </Link>
        <ChevronRight aria-hidden />
        <span aria-current="page">{spec.slug}</span>
      </nav>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>{spec.slug}</h1>
          <State spec={spec} />
        </div>
        {edit && (
          <div className={styles.line}>
            {spec.sourceURL && (
              <Button
                icon={<RefreshCw />}
                busy={refresh.isPending}
                disabled={spec.processingState !== "complete"}
                onClick={() => refresh.mutate(spec.sourceURL!)}
              >
                {t("openapi.refresh")}
              </Button>
            )}
            <Button onClick={() => show("source")}>{t("openapi.source.change")}</Button>
          </div>
        )}
      </header>
      {(refresh.error ?? remove.error) && <Failed failure={refresh.error ?? remove.error} />}
      {spec.lastProcessErrorCode && (
        <Banner kind="warning">{t(spec.lastVersion ? "openapi.kept" : "openapi.unread")}</Banner>
      )}
      {(spec.lastProcessedErrors ?? []).length > 0 && (
        <section className={styles.part} aria-labelledby="spec-faults">
          <h2 id="spec-faults" className={styles.heading}>
            {t("openapi.faults")}
          </h2>
          <ul className={styles.rows}>
            {spec.lastProcessedErrors!.map((each, index) => (
              <li key={index} className={styles.fault} data-kind={each.code}>
                <strong>{t(each.code === "warning" ? "openapi.fault.warning" : "openapi.fault.error")}</strong>{" "}
                {each.message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.part} aria-labelledby="spec-source">
        <h2 id="spec-source" className={styles.heading}>
          {t("openapi.source")}
        </h2>
        <p className={styles.words}>
          {spec.sourceURL ? (
            <a href={spec.sourceURL} rel="noreferrer" target="_blank">
              {spec.sourceURL}
            </a>
          ) : (
            t("openapi.source.sent")
          )}
        </p>
        <p className={styles.note}>{t(spec.sourceURL ? "openapi.source.url.text" : "openapi.source.file.text")}</p>
      </section>
      {spec.lastVersion && <Operations organization={organization} slug={slug} version={spec.lastVersion} />}
      <Uses organization={organization} slug={slug} />
      {versions.data && versions.data.length > 0 && (
        <section className={styles.part} aria-labelledby="spec-versions">
          <h2 id="spec-versions" className={styles.heading}>
            {t("openapi.versions")}
          </h2>
          <ul className={styles.rows}>
            {versions.data.map((each) => (
              <li key={each.id} className={styles.row}>
                <span className={styles.name}>
                  {exactly(each.createdAt)}{" "}
                  {each.id === spec.lastVersion && <span className={styles.badge}>{t("openapi.latest")}</span>}
                </span>
                <Time at={each.createdAt} />
                <a href={each.url} download={`${slug}.json`} className={buttonClass("quiet")}>
                  <Download aria-hidden size={16} />
                  {t("openapi.download")}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {edit && (
        <section className={styles.part}>
          <Button
            kind="danger"
            icon={<Trash2 aria-hidden size={16} />}
            busy={remove.isPending}
            onClick={() => show("delete")}
          >
            {t("openapi.delete")}
          </Button>
        </section>
      )}
      {shown === "source" && <SpecDialog organization={organization} spec={spec} onClose={() => show(null)} />}
      {shown === "delete" && (
        <AskDialog
          title={t("openapi.delete.title", { slug })}
          text={t("openapi.delete.text")}
          action={t("openapi.delete")}
          onClose={() => show(null)}
          onYes={() => {
            show(null);
            remove.mutate();
          }}
        />
      )}
    </main>
  );
}
