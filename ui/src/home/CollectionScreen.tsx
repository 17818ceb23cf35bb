import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, taken } from "../api/client";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { Places } from "./Places";
import { collectionsOf, spacesOf } from "./queries";

// CollectionScreen shows what is in a collection.
export function CollectionScreen() {
  const { collection } = useParams({ from: "/collections/$collection" });
  const asked = useQuery({
    queryKey: ["collections", collection],
    queryFn: () => taken(api.GET("/v1/collections/{collectionId}", { params: { path: { collectionId: collection } } })),
  });
  const organization = asked.data?.organization ?? "";
  const spaces = useQuery({ ...spacesOf(organization), enabled: organization !== "" });
  const collections = useQuery({ ...collectionsOf(organization), enabled: organization !== "" });
  const failed = spaces.error ?? collections.error;
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  return (
    <main id="main" tabIndex={-1} className={styles.home}>
      <Title text={asked.data?.title ?? ""} />
      <header className={styles.head}>
        <div>
          <p className={styles.organization}>{t("home.collection")}</p>
          <h1 className={styles.title}>{asked.data?.title}</h1>
        </div>
      </header>
      {failed && <Failed failure={failed} onRetry={() => void Promise.all([spaces.refetch(), collections.refetch()])} />}
      {!failed && !(spaces.data && collections.data) && <Skeleton shape="rows" lines={4} />}
      {spaces.data && collections.data && <Places spaces={spaces.data} collections={collections.data} below={collection} />}
    </main>
  );
}
