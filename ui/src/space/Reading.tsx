import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Title } from "../shell/Title";
import { pages as pagesQuery } from "./queries";
import styles from "./Reading.module.css";
import { find } from "./tree";

// Reading shows a page as readers see it.
export function Reading() {
  const { space = "", page = "", number }: { space?: string; page?: string; number?: string } = useParams({ strict: false });
  const tree = useQuery(pagesQuery(space, number === undefined ? undefined : Number(number))).data;
  const shown = tree && find(tree, page);
  return (
    <article className={styles.column}>
      <Title text={shown?.title ?? ""} />
      <h1>{shown?.title}</h1>
      <p>{shown?.description}</p>
    </article>
  );
}
