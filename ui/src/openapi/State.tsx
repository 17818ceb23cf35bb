import { CircleAlert, CircleCheck } from "lucide-react";
import { Spinner } from "../look/Spinner";
import { t } from "../words/words";
import styles from "./OpenAPI.module.css";
import type { Spec } from "./queries";

// State says in words whether a description was read.
export function State({ spec }: { spec: Spec }) {
  if (spec.processingState !== "complete") {
    return (
      <span className={styles.state}>
        <Spinner label={t("openapi.reading")} /> {t("openapi.reading")}
      </span>
    );
  }
  if (spec.lastProcessErrorCode) {
    return (
      <span className={styles.state} data-state="failed">
        <CircleAlert aria-hidden /> {t(`openapi.failed.${spec.lastProcessErrorCode}`)}
      </span>
    );
  }
  return (
    <span className={styles.state} data-state="ready">
      <CircleCheck aria-hidden /> {t("openapi.ready")}
    </span>
  );
}
