// Where a cell leads: a page, one of its headings, a file or an address.
import { useState } from "react";
import { Button } from "../../look/Button";
import { t } from "../../words/words";
import { targetChoices, type Target } from "../picker/choices";
import { Picker } from "../picker/Picker";
import type { Cell } from "./cellPanel";
import styles from "./panels.module.css";

export function ReferencePanel({ cell }: { cell: Cell }) {
  const [failed, setFailed] = useState(false);
  const choose = async (target: Target) => {
    try {
      const made = target.make ? await target.make() : target;
      cell.set(made.ref);
      cell.close();
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className={styles.panel}>
      <Picker<Target>
        label={t("editor.table.ref.find")}
        search={(words) => targetChoices(cell.services, words, { files: true, addresses: true, create: true })}
        onChoose={(target) => void choose(target)}
        onCancel={cell.close}
      />
      {failed && <p role="alert" className={styles.fault}>{t("editor.table.ref.failed")}</p>}
      {cell.node()?.attrs["value"] != null && (
        <div className={styles.foot}>
          <Button kind="quiet" onClick={() => { cell.set(null); cell.close(); }}>{t("editor.table.clear")}</Button>
        </div>
      )}
    </div>
  );
}
