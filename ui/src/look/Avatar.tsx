// Somebody's picture, or their initials on a colour of their own.
import { Avatar as Base } from "@base-ui/react/avatar";
import styles from "./Avatar.module.css";
import { colourOf, initials } from "./person";

type Props = { name: string; picture?: string | undefined; size?: "small" | "medium" };

// Avatar is decoration: the name stands beside it, or in the label of what it is in. The initials are drawn by the
// style sheet, since text that is seen has to be in the label.
export function Avatar({ name, picture, size = "medium" }: Props) {
  return (
    <Base.Root aria-hidden className={`${styles.avatar} ${styles[size]}`} data-colour={colourOf(name)}>
      {picture && <Base.Image src={picture} alt="" className={styles.picture} />}
      <Base.Fallback data-initials={initials(name)} className={styles.initials} />
    </Base.Root>
  );
}
