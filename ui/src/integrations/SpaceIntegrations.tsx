// The integrations of a space.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import { buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { IntegrationRow } from "./IntegrationRow";
import styles from "./Integrations.module.css";
import { ofSpace } from "./queries";

export function SpaceIntegrations() {
  const { space = "" }: { space?: string } = useParams({ strict: false });
  const organization = useQuery(spaceQuery(space)).data?.organization ?? "";
  const asked = useQuery(ofSpace(space));
  return (
    <div className={styles.screen}>
      <Title text={t("integrations.title")} />
      <h1 className={styles.title}>{t("integrations.title")}</h1>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={3} />}
      {asked.data?.length === 0 && (
        <EmptyState
          icon={<Blocks />}
          title={t("integrations.space.none")}
          action={
            organization && (
              <Link to="/orgs/$organization/integrations" params={{ organization }} className={buttonClass("primary")}>
                {t("integrations.space.toAll")}
              </Link>
            )
          }
        >
          {t("integrations.space.what")}
        </EmptyState>
      )}
      {asked.data && asked.data.length > 0 && (
        <ul className={styles.rows}>
          {asked.data.map((each) => (
            <IntegrationRow key={each.name} organization={organization} integration={each} />
          ))}
        </ul>
      )}
    </div>
  );
}
