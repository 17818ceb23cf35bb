import { t } from "../words/words";
import styles from "./Integrations.module.css";
import type { Status } from "./queries";

// StatusBadge says in words how an installation stands; nothing where there is none.
export function StatusBadge({ status }: { status: Status | undefined }) {
  return (
    status && (
      <span className={styles.status} data-status={status}>
        {t(`integrations.status.${status}`)}
      </span>
    )
  );
}
