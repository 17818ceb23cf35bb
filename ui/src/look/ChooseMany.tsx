// A field in which several of a list are found and chosen; what is chosen stands in it (Base UI: the combobox pattern
// of the ARIA Authoring Practices).
import { Combobox } from "@base-ui/react/combobox";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../words/words";
import styles from "./ChooseMany.module.css";
import menu from "./Menu.module.css";

export type Option = { id: string; label: string; about?: string | undefined; sign?: ReactNode };

type Props = {
  // What is looked for; the field's name.
  label: string;
  // What is said where nothing is found.
  none: string;
  options: Option[];
  chosen: Option[];
  onChange: (chosen: Option[]) => void;
};

export function ChooseMany({ label, none, options, chosen, onChange }: Props) {
  return (
    <Combobox.Root
      multiple
      items={options}
      value={chosen}
      // Escape closes the list, and takes nothing away.
      onValueChange={(next, { reason }) => reason !== "escape-key" && onChange(next)}
      itemToStringLabel={(option: Option) => `${option.label} ${option.about ?? ""}`}
      isItemEqualToValue={(a: Option, b: Option) => a.id === b.id}
      autoHighlight
    >
      <Combobox.InputGroup className={styles.field}>
        <Combobox.Chips className={styles.chips}>
          <Combobox.Value>
            {(value: Option[]) => (
              <>
                {value.map((option) => (
                  <Combobox.Chip key={option.id} className={styles.chip} aria-label={option.label}>
                    {option.label}
                    <Combobox.ChipRemove
                      className={styles.remove}
                      aria-label={t("look.unchoose", { name: option.label })}
                    >
                      <X aria-hidden />
                    </Combobox.ChipRemove>
                  </Combobox.Chip>
                ))}
                <Combobox.Input
                  className={styles.input}
                  aria-label={label}
                  placeholder={value.length > 0 ? "" : label}
                />
              </>
            )}
          </Combobox.Value>
        </Combobox.Chips>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner className={menu.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={`${menu.popup} ${styles.popup}`}>
            <Combobox.Empty>
              <p className={styles.none}>{none}</p>
            </Combobox.Empty>
            <Combobox.List>
              {(option: Option) => (
                <Combobox.Item key={option.id} value={option} className={menu.item}>
                  {option.sign}
                  <span className={menu.text}>{option.label}</span>
                  {option.about && <span className={styles.about}>{option.about}</span>}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
