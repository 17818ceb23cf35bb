// The list of keys, from the one table of them, and the switch for those that are pressed without another one.
import { useRef, useState } from "react";
import { Dialog } from "../look/Dialog";
import { Keys } from "../look/Keys";
import { shortcuts } from "../look/shortcuts";
import { Switch } from "../look/Switch";
import { t, type Key } from "../words/words";
import styles from "./KeyList.module.css";
import { setSingleKeys, singleKeys } from "./useShortcut";

const groups: { where: string; title: Key }[] = [
  { where: "everywhere", title: "keys.everywhere" },
  { where: "space", title: "keys.space" },
  { where: "tree", title: "keys.inTree" },
  { where: "text", title: "keys.text" },
  { where: "blocks", title: "keys.blocks" },
  { where: "changes", title: "keys.changes" },
];

export function KeyList({ onClose }: { onClose: () => void }) {
  const [single, setSingle] = useState(singleKeys);
  const list = useRef<HTMLDivElement>(null);
  const rows = Object.values(shortcuts);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("keys.title")} shape="large" initialFocus={list}>
      <div ref={list} tabIndex={0} role="region" aria-label={t("keys.title")} className={styles.groups}>
        {groups.map(({ where, title }) => (
          <section key={where} className={styles.group}>
            <h3>{t(title)}</h3>
            <dl>
              {rows
                .filter((row) => row.where === where)
                .map((row) => (
                  <div key={row.keys + row.does} className={styles.row}>
                    <dt>{t(row.does)}</dt>
                    <dd>
                      <Keys keys={row.keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={styles.setting}>
        <span>
          <strong id="keys-single">{t("keys.single")}</strong>
          <span>{t("keys.single.what")}</span>
        </span>
        <Switch
          checked={single}
          labelledBy="keys-single"
          onChange={(on) => {
            setSingle(on);
            setSingleKeys(on);
          }}
        />
      </div>
    </Dialog>
  );
}
