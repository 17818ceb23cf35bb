// The API descriptions of an organization.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { FileBraces, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { Time } from "../words/Time";
import { t } from "../words/words";
import styles from "./OpenAPI.module.css";
import { specsOf } from "./queries";
import { SpecDialog } from "./SpecDialog";
import { State } from "./State";

export function Specs() {
  const { organization = "" }: { organization?: string } = useParams({ strict: false });
  const asked = useQuery(specsOf(organization));
  const about = useQuery(myOrganizations).data?.find((each) => each.id === organization);
  const [adding, add] = useState(false);
  const may = about?.permissions.createOpenAPISpec ?? false;
  const button = (
    <Button kind="primary" icon={<Plus />} onClick={() => add(true)}>
      {t("openapi.add")}
    </Button>
  );
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("openapi.title")} />
      <header className={styles.head}>
        <div>
          <p className={styles.above}>{about?.title}</p>
          <h1 className={styles.title}>{t("openapi.title")}</h1>
        </div>
        {may && (asked.data?.length ?? 0) > 0 && button}
      </header>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.data?.length === 0 && (
        <EmptyState icon={<FileBraces />} title={t("openapi.none")} action={may && button}>
          {t("openapi.what")}
        </EmptyState>
      )}
      {asked.data && asked.data.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.map((spec) => (
            <li key={spec.id} className={styles.row}>
              <Link
                to="/orgs/$organization/openapi/$slug"
                params={{ organization, slug: spec.slug }}
                className={styles.name}
              >
                {spec.slug}
              </Link>
              <State spec={spec} />
              <span className={styles.note}>{spec.sourceURL ?? t("openapi.source.sent")}</span>
              <span className={styles.note}>{spec.lastProcessedAt && <Time at={spec.lastProcessedAt} />}</span>
            </li>
          ))}
        </ul>
      )}
      {adding && <SpecDialog organization={organization} onClose={() => add(false)} />}
    </main>
  );
}
