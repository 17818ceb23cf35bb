// The files or people of a cell: those it has, and a field to find more.
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../../look/Button";
import { t } from "../../words/words";
import { columnOf } from "../nodes/tables";
import { fileChoices, personChoices } from "../picker/choices";
import type { Choice } from "../picker/choice";
import { Picker } from "../picker/Picker";
import type { Cell } from "./cellPanel";
import { entryName } from "./names";
import styles from "./panels.module.css";
import { UploadRow } from "./UploadRow";
import { listOf } from "./values";

export function EntriesPanel({ cell, type }: { cell: Cell; type: "files" | "users" }) {
  const [entries, setEntries] = useState(() => listOf(cell.node()?.attrs["value"]));
  const [names, setNames] = useState<Record<string, string>>({});
  const node = cell.node();
  const single = type === "users" && node !== null && columnOf(node).multiple !== true;

  // Names are asked for once each, when an entry is first shown.
  useEffect(() => {
    let left = false;
    for (const entry of entries)
      if (!(entry in names))
        void entryName(cell.services, type, entry).then(
          (name) => !left && setNames((known) => ({ ...known, [entry]: name ?? entry })),
        );
    return () => void (left = true);
  }, [entries]);

  const keep = (next: string[]) => {
    setEntries(next);
    cell.set(next.length > 0 ? next : null);
  };
  const add = (id: string) => {
    if (single) {
      keep([id]);
      cell.close();
    } else if (!entries.includes(id)) keep([...entries, id]);
  };
  const search = async (words: string): Promise<Choice<string>[]> => {
    const found =
      type === "files" ? await fileChoices(cell.services, words) : await personChoices(cell.services, words);
    return found.map((choice) => ({ ...choice, value: choice.id }));
  };
  return (
    <div className={styles.panel}>
      {entries.length > 0 && (
        <ul className={styles.entries}>
          {entries.map((entry) => (
            <li key={entry}>
              <span>{names[entry] ?? entry.split("/").pop()}</span>
              <IconButton
                label={t("editor.table.entry.remove", { name: names[entry] ?? entry })}
                onClick={() => keep(entries.filter((each) => each !== entry))}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Picker<string>
        label={t(type === "files" ? "editor.table.files.find" : "editor.table.users.find")}
        search={search}
        onChoose={add}
        onCancel={cell.close}
      />
      {type === "files" && (
        <div className={styles.foot}>
          <UploadRow services={cell.services} onDone={(file) => add(file.id)} />
        </div>
      )}
    </div>
  );
}
