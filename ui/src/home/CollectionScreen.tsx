// A collection: where it is, what is in it, and what can be done with it.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Ellipsis, KeyRound } from "lucide-react";
import { Suspense, useState } from "react";
import { collection as collectionQuery } from "../access/queries";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { later } from "../words/later";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { NewCollection } from "./NewCollection";
import { NewSpace } from "./NewSpace";
import { Places } from "./Places";
import { type Collection, collectionsOf, spacesOf } from "./queries";

const PlaceActions = later(() => import("../places/PlaceActions").then(({ PlaceActions }) => PlaceActions));

export function CollectionScreen() {
  const { collection } = useParams({ from: "/collections/$collection" });
  const asked = useQuery(collectionQuery(collection));
  const organization = asked.data?.organization ?? "";
  const spaces = useQuery({ ...spacesOf(organization), enabled: organization !== "" });
  const collections = useQuery({ ...collectionsOf(organization), enabled: organization !== "" });
  const failed = spaces.error ?? collections.error;
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  return (
    <main id="main" tabIndex={-1} className={styles.home}>
      <Title text={asked.data?.title ?? ""} />
      {asked.data && <Head collection={asked.data} collections={collections.data ?? []} />}
      {failed && (
        <Failed failure={failed} onRetry={() => void Promise.all([spaces.refetch(), collections.refetch()])} />
      )}
      {!failed && !(spaces.data && collections.data) && <Skeleton shape="rows" lines={4} />}
      {spaces.data && collections.data && (
        <Places organization={organization} spaces={spaces.data} collections={collections.data} below={collection} />
      )}
    </main>
  );
}

function Head({ collection, collections }: { collection: Collection; collections: Collection[] }) {
  const [asked, ask] = useState<{ what: "menu" | "access"; anchor: HTMLElement }>();
  const navigate = useNavigate();
  const { title, description, organization, permissions } = collection;
  const close = () => {
    asked?.anchor.focus();
    ask(undefined);
  };
  return (
    <header className={styles.head}>
      <div>
        <nav aria-label={t("home.trail")} className={`${styles.organization} ${styles.trail}`}>
          <Link to="/">{t("home.title")}</Link>
          {above(collection, collections).map((each) => (
            <span key={each.id}>
              {"/ "}
              <Link to="/collections/$collection" params={{ collection: each.id }}>
                {each.title}
              </Link>
            </span>
          ))}
        </nav>
        <h1 className={styles.title}>{title}</h1>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      <div className={styles.actions}>
        {permissions.listPeople && (
          <Button
            kind="quiet"
            icon={<KeyRound />}
            onClick={(event) => ask({ what: "access", anchor: event.currentTarget })}
          >
            {t("home.access")}
          </Button>
        )}
        {permissions.create && (
          <>
            <NewCollection organization={organization} parent={collection.id} />
            <NewSpace organization={organization} collections={collections} parent={collection.id} />
          </>
        )}
        <IconButton
          label={t("home.options", { title })}
          aria-haspopup="menu"
          onClick={(event) => ask({ what: "menu", anchor: event.currentTarget })}
        >
          <Ellipsis />
        </IconButton>
      </div>
      {asked && (
        <Suspense fallback={null}>
          <PlaceActions
            key={asked.what}
            organization={organization}
            place={{ kind: "collection", collection, places: [] }}
            {...asked}
            roots={[]}
            collections={collections}
            onStep={() => {}}
            onClose={close}
            onDeleted={() => void navigate({ to: "/" })}
          />
        </Suspense>
      )}
    </header>
  );
}

// above lists the collections around one, the outermost first.
function above(collection: Collection, collections: Collection[]): Collection[] {
  const parent = collections.find((each) => each.id === collection.parent);
  return parent ? [...above(parent, collections), parent] : [];
}
