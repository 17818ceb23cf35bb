// The calls of an integration's script of the last 30 days: what each was, what came of it, and what the script has
// said.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Activity, ChevronRight, RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { Development } from "./Development";
import { EventRow } from "./EventRow";
import { allEvents, eventsOf, type Filter, kinds, readFilter } from "./eventQueries";
import events from "./Events.module.css";
import styles from "./Integrations.module.css";
import { integrationOf } from "./queries";

export function Events() {
  const { organization = "", integration: name = "" }: { organization?: string; integration?: string } = useParams({
    strict: false,
  });
  const filter = readFilter(useSearch({ strict: false }));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const about = useQuery(integrationOf(organization, name));
  const asked = useInfiniteQuery(eventsOf(organization, name, filter));
  const [open, setOpen] = useState("");
  const list = asked.data?.pages.flatMap((page) => page.items ?? []) ?? [];
  const set = (part: keyof Filter, value: string) =>
    void navigate({
      to: "/orgs/$organization/integrations/$integration/events",
      params: { organization, integration: name },
      search: readFilter({ ...filter, [part]: value }),
      replace: true,
    });
  const refresh = () => void queries.invalidateQueries({ queryKey: [...allEvents(organization, name), "list"] });
  if (about.isError && !about.data) return <Refused failure={about.error} onRetry={() => void about.refetch()} />;
  const filtered = filter.type !== undefined || filter.status !== undefined;
  return (
    <main id="main" tabIndex={-1} className={styles.screen}>
      <Title text={t("events.title")} />
      <nav aria-label={t("space.path")} className={styles.path}>
        <Link to="/orgs/$organization/integrations" params={{ organization }}>
          {t("integrations.title")}
        </Link>
        <ChevronRight aria-hidden />
        <Link to="/orgs/$organization/integrations/$integration" params={{ organization, integration: name }}>
          {about.data?.title ?? name}
        </Link>
        <ChevronRight aria-hidden />
        <span aria-current="page">{t("events.title")}</span>
      </nav>
      <h1 className={styles.title}>{t("events.title")}</h1>
      {about.data?.permissions.admin && <Development organization={organization} integration={about.data} />}
      <div className={events.filters}>
        <label className={events.filter}>
          {t("events.type")}
          <select
            className={styles.select}
            value={filter.type ?? ""}
            onChange={(event) => set("type", event.currentTarget.value)}
          >
            <option value="">{t("events.type.all")}</option>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label className={events.filter}>
          {t("events.status")}
          <select
            className={styles.select}
            value={filter.status ?? ""}
            onChange={(event) => set("status", event.currentTarget.value)}
          >
            <option value="">{t("events.status.all")}</option>
            <option value="success">{t("events.status.success")}</option>
            <option value="failed">{t("events.status.failed")}</option>
          </select>
        </label>
        <Button icon={<RotateCw aria-hidden size={16} />} busy={asked.isRefetching} onClick={refresh}>
          {t("events.refresh")}
        </Button>
      </div>
      {asked.isError && !asked.data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={6} />}
      {asked.data && list.length === 0 && (
        <EmptyState icon={<Activity />} title={t(filtered ? "events.notFound" : "events.none")}>
          {!filtered && t("events.what")}
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={styles.rows}>
          {list.map((each) => (
            <EventRow
              key={each.id}
              organization={organization}
              called={each}
              open={open === each.id}
              onOpen={(is) => setOpen(is ? each.id : "")}
              onSent={refresh}
            />
          ))}
        </ul>
      )}
      {asked.hasNextPage && (
        <p>
          <MoreButton list={asked} />
        </p>
      )}
    </main>
  );
}
