// Somebody's picture, or their initials on a colour of their own.
import { Avatar as Base } from "@base-ui/react/avatar";
import styles from "./Avatar.module.css";

type Props = { name: string; picture?: string | undefined; size?: "small" | "medium" };

// initials are the first letters of the first and last word.
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("").toLocaleUpperCase();
}

// colourOf is the same for a name everywhere, one of eight.
export function colourOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % 8;
}

// Avatar is decoration: the name stands beside it, or in the label of what it is in. The initials are drawn by the style
// sheet, since text that is seen has to be in the label.
export function Avatar({ name, picture, size = "medium" }: Props) {
  return (
    <Base.Root aria-hidden className={`${styles.avatar} ${styles[size]}`} data-colour={colourOf(name)}>
      {picture && <Base.Image src={picture} alt="" className={styles.picture} />}
      <Base.Fallback data-initials={initials(name)} className={styles.initials} />
    </Base.Root>
  );
}
