// The buttons that choose a side, with their keys.
import { t } from "../../words/words";
import styles from "./Choose.module.css";

type Option = "main" | "mine" | "both";
type Props<T extends Option> = {
  options: readonly T[];
  chosen: string | undefined;
  onChoose: (option: T) => void;
  children?: React.ReactNode;
};

export function Choose<T extends Option>({ options, chosen, onChoose, children }: Props<T>) {
  return (
    <div className={styles.choose} role="group" aria-label={t("conflict.choose")}>
      {options.map((option, index) => (
        <button
          key={option}
          type="button"
          className={styles.option}
          data-choice={index + 1}
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        >
          {t(`conflict.take.${option}`)}
          <kbd className={styles.key} aria-hidden>
            {index + 1}
          </kbd>
        </button>
      ))}
      {children}
    </div>
  );
}
