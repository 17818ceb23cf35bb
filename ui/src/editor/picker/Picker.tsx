// A field to search with and what it finds below: arrows walk, Enter takes, Escape leaves. It stands in a panel or
// wherever something is to be chosen.
import { useId, useState } from "react";
import type { Choice, Search } from "./choice";
import { optionId, PickerList } from "./PickerList";
import styles from "./Picker.module.css";
import { usePicker } from "./usePicker";

type Props<T> = {
  // label says what is looked for.
  label: string;
  placeholder?: string;
  first?: string;
  none?: string;
  search: Search<T>;
  onChoose: (value: T, choice: Choice<T>) => void;
  onCancel: () => void;
};

export function Picker<T>({ label, placeholder = label, first = "", none, search, onChoose, onCancel }: Props<T>) {
  const id = useId();
  const [words, setWords] = useState(first);
  const picked = usePicker(search, words);
  const choose = (choice: Choice<T> | undefined) => choice && onChoose(choice.value, choice);
  return (
    <div className={styles.picker}>
      <input
        autoFocus
        role="combobox"
        className={styles.field}
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={picked.choices.length > 0 ? optionId(id, picked.index) : undefined}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (picked.onKey(event.key)) return event.preventDefault();
          if (event.key === "Enter") {
            event.preventDefault();
            void picked.take().then(choose);
          } else if (event.key === "Escape") {
            event.stopPropagation();
            onCancel();
          }
        }}
      />
      <PickerList id={id} label={label} picked={picked} none={none} onChoose={choose} />
    </div>
  );
}
