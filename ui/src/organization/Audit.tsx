import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, ScrollText } from "lucide-react";
import { Fragment } from "react";
import { Avatar } from "../look/Avatar";
import { buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { peopleOf } from "../palette/queries";
import { Somebody } from "../people/Somebody";
import type { Organization } from "../shell/organization";
import { exactly } from "../words/time";
import { t } from "../words/words";
import styles from "./Settings.module.css";
import { type AuditEntry, type AuditFilter, auditOf, exportOf } from "./queries";
import { type Shown, span } from "./tabs";

// Audit is what was done to people, access, sites and tokens, found by who did it, what it was and when.
export function Audit({ organization }: { organization: Organization }) {
  const search = useSearch({ from: "/orgs/$organization/settings" });
  const navigate = useNavigate();
  const people = useQuery(peopleOf(organization.id)).data ?? [];
  const { actor, action } = search;
  const filter: AuditFilter = { ...(actor ? { actor } : {}), ...(action ? { action } : {}), ...span(search) };
  const asked = useInfiniteQuery(auditOf(organization.id, filter));
  const entries = asked.data?.pages.flatMap((page) => page.items ?? []) ?? [];
  const set = (part: keyof Shown, value: string) =>
    void navigate({
      to: "/orgs/$organization/settings",
      params: { organization: organization.id },
      search: { ...search, [part]: value || undefined },
      replace: true,
    });
  return (
    <>
      <div className={styles.filters}>
        <label className={styles.filter}>
          {t("audit.actor")}
          <select
            className={styles.select}
            value={actor ?? ""}
            onChange={(event) => set("actor", event.currentTarget.value)}
          >
            <option value="">{t("audit.actor.all")}</option>
            {people.map(({ user }) => (
              <option key={user.id} value={user.id}>
                {user.displayName}
              </option>
            ))}
          </select>
        </label>
        <div className={styles.filter}>
          <Field
            label={t("audit.action")}
            placeholder="member.remove"
            spellCheck={false}
            autoComplete="off"
            value={action ?? ""}
            onChange={(event) => set("action", event.currentTarget.value.trim())}
          />
        </div>
        <div className={styles.filter}>
          <Field
            label={t("audit.from")}
            type="date"
            value={search.from ?? ""}
            onChange={(event) => set("from", event.currentTarget.value)}
          />
        </div>
        <div className={styles.filter}>
          <Field
            label={t("audit.to")}
            type="date"
            value={search.to ?? ""}
            onChange={(event) => set("to", event.currentTarget.value)}
          />
        </div>
        <span className={styles.exports}>
          {(["csv", "ndjson"] as const).map((format) => (
            <a
              key={format}
              href={exportOf(organization.id, filter, format)}
              download={`audit.${format}`}
              className={buttonClass("plain")}
            >
              <Download aria-hidden />
              {format === "csv" ? "CSV" : "JSON"}
            </a>
          ))}
        </span>
      </div>
      {asked.isError && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton shape="rows" lines={8} />}
      {asked.data && entries.length === 0 && <EmptyState icon={<ScrollText />} title={t("audit.none")} />}
      <ul className={styles.rows}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <MoreButton list={asked} className={styles.more} />
    </>
  );
}

// Named is a value of the log: people by their names, and the ids of other things, which may be gone, as what they are.
function Named({ value }: { value: unknown }) {
  if (typeof value !== "string") return JSON.stringify(value);
  if (/^user_[0-9a-z]{26}$/.test(value)) return <Somebody id={value} />;
  return /^[a-z]+_[0-9a-z]{26}$/.test(value) ? <code>{value}</code> : value;
}

function Entry({ entry: { actor, action, target, createdAt, address, details } }: { entry: AuditEntry }) {
  const name = actor?.user?.displayName ?? t(actor ? "audit.gone" : "audit.server");
  const facts = Object.entries(details);
  return (
    <li className={styles.entry}>
      <Avatar size="small" name={name} picture={actor?.user?.photoURL} />
      <span className={styles.who}>{name}</span>
      <span className={styles.what}>
        <code className={styles.action}>{action}</code> {target.title || <Named value={target.id} />}
        {facts.length > 0 && (
          <span className={styles.facts}>
            {facts.map(([key, value], index) => (
              <Fragment key={key}>
                {index > 0 && ", "}
                {key}: <Named value={value} />
              </Fragment>
            ))}
          </span>
        )}
      </span>
      <span className={styles.when}>
        <time dateTime={createdAt}>{exactly(createdAt)}</time>
        {address && <span className={styles.about}>{address}</span>}
      </span>
    </li>
  );
}
