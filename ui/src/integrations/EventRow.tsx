// A call of a script, which opens to what it was called with and what it has said.
import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleCheck, CircleX } from "lucide-react";
import { useId } from "react";
import { api, done } from "../api/client";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Time } from "../words/Time";
import { t } from "../words/words";
import { answered, type Called, eventOf } from "./eventQueries";
import styles from "./Events.module.css";
import { root } from "./queries";

type Props = {
  organization: string;
  called: Called;
  open: boolean;
  onOpen: (open: boolean) => void;
  onSent: () => void;
};

export function EventRow({ organization, called, open, onOpen, onSent }: Props) {
  const id = useId();
  const Icon = called.status === "success" ? CircleCheck : CircleX;
  return (
    <li data-event={called.id}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
      >
        <span className={styles.status} data-status={called.status}>
          <Icon aria-hidden size={16} />
          {t(`events.status.${called.status}`)}
        </span>
        <code className={styles.kind}>{String(called.payload["type"] ?? "")}</code>
        <span className={styles.took}>{t("events.took", { duration: called.duration })}</span>
        <span className={styles.when}>
          <Time at={called.createdAt} />
        </span>
        <ChevronDown aria-hidden size={16} className={styles.sign} />
      </button>
      {open && (
        <div id={id} className={styles.inner}>
          <Details organization={organization} called={called} onSent={onSent} />
        </div>
      )}
    </li>
  );
}

function Details({ organization, called, onSent }: { organization: string; called: Called; onSent: () => void }) {
  const asked = useQuery(eventOf(organization, called.integrationId, called.id));
  const type = String(called.payload["type"] ?? "");
  const path = { integrationName: called.integrationId, eventId: called.id };
  const again = useMutation({
    mutationFn: () => done(api.POST(`${root}/events/{eventId}/redeliver`, { params: { path } })),
    onSuccess: onSent,
  });
  if (asked.isError) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton lines={4} />;
  const logs = asked.data.trace.logs ?? [];
  return (
    <>
      <h2 className={styles.heading}>{t("events.logs")}</h2>
      {logs.length === 0 && <p className={styles.note}>{t("events.logs.none")}</p>}
      {logs.length > 0 && (
        <ol className={styles.logs}>
          {logs.map((line, i) => (
            <li key={i} data-level={line.level}>
              <span className={styles.level}>{line.level}</span> {line.message}
            </li>
          ))}
        </ol>
      )}
      <h2 className={styles.heading}>{t("events.payload")}</h2>
      <pre className={styles.payload} tabIndex={0} aria-label={t("events.payload")}>
        {JSON.stringify(asked.data.event.payload, null, 2)}
      </pre>
      <p className={styles.note}>
        <code>{called.id}</code>
      </p>
      {again.isError && <Failed failure={again.error} />}
      <div className={styles.line}>
        {answered.has(type) ? (
          <p className={styles.note}>{t("events.again.not")}</p>
        ) : (
          <Button busy={again.isPending} onClick={() => again.mutate()}>
            {t("events.again")}
          </Button>
        )}
        <span role="status" className={styles.note}>
          {again.isSuccess && t("events.again.done")}
        </span>
      </div>
    </>
  );
}
