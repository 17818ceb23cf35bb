import { useMutation } from "@tanstack/react-query";
import { api, Failure, taken } from "../api/client";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import { type Language, ofLanguage } from "./queries";
import type { Path } from "./Segments";
import styles from "./Translations.module.css";

// Machine has a machine translate what is missing or stale, says how far it is, and stops it.
export function Machine({ path, language, onChange }: { path: Path; language: Language; onChange: () => void }) {
  const { machine, counts } = language;
  const at = `${ofLanguage}/machine` as const;
  const start = useMutation({
    mutationFn: () => taken(api.POST(at, { params: { path }, body: {} })),
    onSuccess: onChange,
  });
  const stop = useMutation({ mutationFn: () => taken(api.DELETE(at, { params: { path } })), onSuccess: onChange });
  const runs = machine.status === "pending" || machine.status === "running";
  // The server says so when nobody has connected one.
  const unconnected = start.error instanceof Failure && start.error.status === 412;
  return (
    <section className={styles.part} aria-labelledby="translation-machine">
      <h2 id="translation-machine" className={styles.heading}>
        {t("translations.machine")}
      </h2>
      <p className={styles.note}>{t("translations.machine.text")}</p>
      <p className={styles.line}>
        {runs ? (
          <>
            <progress
              className={styles.meter}
              max={machine.total || 1}
              value={machine.done}
              aria-label={t("translations.machine")}
            />
            <span role="status">{t("translations.machine.works", { done: machine.done, total: machine.total })}</span>
            <Button busy={stop.isPending} onClick={() => stop.mutate()}>
              {t("translations.machine.stop")}
            </Button>
          </>
        ) : (
          <Button busy={start.isPending} disabled={counts.missing + counts.stale === 0} onClick={() => start.mutate()}>
            {t("translations.machine.start", { count: counts.missing + counts.stale })}
          </Button>
        )}
      </p>
      {machine.status === "completed" && machine.total > 0 && (
        <p className={styles.note}>{t("translations.machine.done", { done: machine.done, failed: machine.failed })}</p>
      )}
      {machine.status === "failed" && (
        <Banner kind="warning">{t("translations.machine.failed", { reason: machine.error ?? "" })}</Banner>
      )}
      {unconnected ? (
        <Banner>{t("translations.machine.none")}</Banner>
      ) : (
        start.isError && <Failed failure={start.error} />
      )}
      {stop.isError && <Failed failure={stop.error} />}
    </section>
  );
}
