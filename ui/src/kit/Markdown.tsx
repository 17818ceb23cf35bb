// Markdown of a script. HTML in it stays text, its pictures are not loaded, and its links run nothing.
import { useMemo } from "react";
import { render } from "../comments/markdown";
import styles from "./Kit.module.css";

export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => render(text), [text]);
  return <div className={styles.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
