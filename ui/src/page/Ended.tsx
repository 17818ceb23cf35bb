// What is said when a page cannot be written any more while somebody writes it.
import type { EndReason } from "../live/wire";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { t } from "../words/words";
import styles from "./EditPage.module.css";

type Props = { reason: EndReason; unsaved: boolean; copied: boolean; onCopy: () => void };

function words(reason: EndReason): string {
  switch (reason) {
    case "merged":
      return t("edit.closed.merged");
    case "deleted":
      return t("live.deleted");
    case "access":
      return t("live.access");
    default:
      return t("edit.closed.archived");
  }
}

export function Ended({ reason, unsaved, copied, onCopy }: Props) {
  return (
    <Banner
      kind={unsaved ? "warning" : "info"}
      className={styles.banner}
      actions={unsaved && <Button onClick={onCopy}>{t(copied ? "edit.conflict.copied" : "edit.conflict.copy")}</Button>}
    >
      {words(reason)} {unsaved && t("live.unsaved")}
    </Banner>
  );
}
