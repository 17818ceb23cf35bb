// Writing a page of a change request: its title and its body, nothing else. What is typed is saved by itself.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Banner } from "../look/Banner";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import { begun, type Place } from "./server";
import { Writing } from "./Writing";

export function EditPage() {
  const { space = "", number = "", page = "" }: { space?: string; number?: string; page?: string } = useParams({ strict: false });
  // A page is left with all that belongs to it.
  return <Begin key={`${space} ${number} ${page}`} place={{ space, change: Number(number), page }} />;
}

function Begin({ place }: { place: Place }) {
  const queries = useQueryClient();
  const asked = useQuery(begun(queries, place));
  const { data } = asked;
  return (
    <article className={styles.column}>
      {asked.isError && !data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton lines={8} />}
      {data && (
        <>
          <Title text={data.loaded.title} />
          {data.loaded.type === "document" ? <Writing place={place} begun={data} /> : <Banner>{t("edit.notDocument")}</Banner>}
        </>
      )}
    </article>
  );
}
