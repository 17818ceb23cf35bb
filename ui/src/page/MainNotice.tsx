// Says to whoever writes on main that it is public at once, and where.
import { useQuery } from "@tanstack/react-query";
import { Banner } from "../look/Banner";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./EditPage.module.css";

export function MainNotice({ space }: { space: string }) {
  const about = useQuery(spaceQuery(space)).data;
  if (!about) return null;
  const { published } = about.urls;
  return (
    <Banner kind="warning" className={styles.banner}>
      {t(published ? "edit.main.public" : "edit.main.notice")}{" "}
      {published && (
        <a href={published} target="_blank" rel="noopener" className={styles.where}>
          {published.replace(/^https?:\/\//, "")}
        </a>
      )}
    </Banner>
  );
}
