// Something that is on or off, at once.
import { Switch as Base } from "@base-ui/react/switch";
import styles from "./Switch.module.css";

type Props = { checked: boolean; onChange: (checked: boolean) => void; labelledBy: string };

export function Switch({ checked, onChange, labelledBy }: Props) {
  return (
    <Base.Root checked={checked} onCheckedChange={onChange} aria-labelledby={labelledBy} className={styles.switch}>
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
  );
}
