// The options of a column: one takes one or several for a cell, makes new ones, and changes their names and colours.
import { Check, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../look/Button";
import { t } from "../../words/words";
import { columnOf, type Option } from "../nodes/tables";
import type { Choice } from "../picker/choice";
import { Picker } from "../picker/Picker";
import type { Cell } from "./cellPanel";
import { setColumn } from "./commands";
import styles from "./panels.module.css";
import { colors, listOf } from "./values";

// The most options of a column; a list of more is no list to choose from.
const most = 200;

export function OptionsPanel({ cell }: { cell: Cell }) {
  const [edits, setEdits] = useState(false);
  const [, setChanges] = useState(0);
  const node = cell.node();
  if (!node) return null;
  const { options = [], multiple = false } = columnOf(node);
  const chosen = listOf(node.attrs["value"]);
  const changed = () => setChanges((count) => count + 1);
  // The selection is in the column as long as the panel is open, so its commands act on it.
  const keep = (next: Option[]) => {
    setColumn({ options: next })(cell.view.state, cell.view.dispatch, cell.view);
    changed();
  };
  const take = (value: string) => {
    if (!multiple) {
      cell.set([value]);
      return cell.close();
    }
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    cell.set(next.length > 0 ? next : null);
    changed();
  };
  const make = (label: string) => {
    const value = fresh(options);
    keep([...options, { value, label, color: colors[options.length % colors.length]! }]);
    take(value);
  };
  const search = (words: string): Choice<Option>[] => {
    const sought = words.trim().toLowerCase();
    const found = options.filter(({ label, value }) => (label || value).toLowerCase().includes(sought));
    const choices = found.map((option) => ({
      id: option.value,
      title: option.label || option.value,
      icon: chosen.includes(option.value) ? (
        <Check aria-label={t("editor.table.option.chosen")} />
      ) : (
        <span className={styles.dot} data-color={option.color} />
      ),
      value: option,
    }));
    if (!sought || options.length >= most || found.some(({ label }) => label.toLowerCase() === sought)) return choices;
    return [
      ...choices,
      {
        id: "new",
        title: t("editor.table.option.make", { name: words.trim() }),
        icon: <span className={styles.dot} />,
        value: { value: "", label: words.trim().slice(0, 200), color: "" },
      },
    ];
  };
  const change = (at: number, patch: Partial<Option>) =>
    keep(options.map((option, i) => (i === at ? { ...option, ...patch } : option)));
  if (edits) {
    return (
      <div className={styles.panel}>
        <ul className={styles.options} aria-label={t("editor.table.options")}>
          {options.map((option, at) => (
            <li key={option.value}>
              <select
                aria-label={t("editor.table.option.color", { name: option.label || option.value })}
                value={option.color}
                onChange={(event) => change(at, { color: event.target.value })}
              >
                {option.color !== "" && !(colors as readonly string[]).includes(option.color) && (
                  <option value={option.color}>{option.color}</option>
                )}
                <option value="">{t("editor.color.none")}</option>
                {colors.map((color) => (
                  <option key={color} value={color}>
                    {t(`editor.color.${color}`)}
                  </option>
                ))}
              </select>
              <input
                aria-label={t("editor.table.option.name")}
                value={option.label}
                maxLength={200}
                onChange={(event) => change(at, { label: event.target.value })}
              />
              <IconButton
                label={t("editor.table.option.delete", { name: option.label || option.value })}
                onClick={() => keep(options.filter((_, i) => i !== at))}
              >
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </ul>
        <div className={styles.foot}>
          <Button
            kind="quiet"
            onClick={() =>
              keep([...options, { value: fresh(options), label: "", color: colors[options.length % colors.length]! }])
            }
            disabled={options.length >= most}
          >
            {t("editor.table.option.add")}
          </Button>
          <Button kind="primary" onClick={() => setEdits(false)}>
            {t("editor.table.option.done")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.panel}>
      <Picker<Option>
        key={`${chosen.join(" ")} ${options.length}`}
        label={t("editor.table.option.find")}
        none={t("editor.table.option.none")}
        search={search}
        onChoose={(option) => (option.value ? take(option.value) : make(option.label))}
        onCancel={cell.close}
      />
      <div className={styles.foot}>
        <Button kind="quiet" onClick={() => setEdits(true)} disabled={options.length === 0}>
          {t("editor.table.options.edit")}
        </Button>
        {chosen.length > 0 && (
          <Button
            kind="quiet"
            onClick={() => {
              cell.set(null);
              changed();
              if (!multiple) cell.close();
            }}
          >
            {t("editor.table.clear")}
          </Button>
        )}
      </div>
    </div>
  );
}

// fresh returns a value that no option has.
function fresh(options: readonly Option[]): string {
  for (let n = options.length + 1; ; n++) if (!options.some(({ value }) => value === `o${n}`)) return `o${n}`;
}
