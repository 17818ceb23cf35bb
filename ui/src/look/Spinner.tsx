import styles from "./Spinner.module.css";

// Spinner says that something is under way whose length nobody knows. What has a shape is a Skeleton instead.
export function Spinner({ label }: { label: string }) {
  return <span className={styles.spinner} role="img" aria-label={label} />;
}
