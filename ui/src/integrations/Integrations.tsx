// What can be installed in an organization, and what is.
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { myOrganizations } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { IntegrationRow } from "./IntegrationRow";
import styles from "./Integrations.module.css";
import { offered, statuses } from "./queries";
import { StatusBadge } from "./StatusBadge";

export function Integrations() {
  const { organization = "" }: { organization?: string } = useParams({ strict: false });
  const about = useQuery(myOrganizations).data?.find((each) => each.id === organization);
  const [words, setWords] = useState("");
  const search = useDeferredValue(words.trim());
  const asked = useQuery(offered(organization, search));
  const installed = useQuery({
    ...statuses(organization),
    enabled: about?.permissions.listInstallations ?? false,
  }).data;
  const list = (asked.data ?? []).toSorted(
    (a, b) => Number(installed?.has(b.name) ?? false) - Number(installed?.has(a.name) ?? false),
  );
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("integrations.title")} />
      <p className={styles.above}>{about?.title}</p>
      <h1 className={styles.title}>{t("integrations.title")}</h1>
      {(list.length > 0 || words) && (
        <Field
          label={t("integrations.search")}
          hideLabel
          type="search"
          placeholder={t("integrations.search")}
          value={words}
          maxLength={200}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={4} />}
      {asked.data?.length === 0 && (
        <EmptyState icon={<Blocks />} title={t(search ? "integrations.notFound" : "integrations.none")}>
          {!search && t("integrations.what")}
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={styles.rows}>
          {list.map((each) => (
            <IntegrationRow key={each.name} organization={organization} integration={each}>
              <StatusBadge status={installed?.get(each.name)} />
            </IntegrationRow>
          ))}
        </ul>
      )}
    </main>
  );
}
