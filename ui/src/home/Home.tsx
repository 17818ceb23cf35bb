// Where one begins: what waits for me, what changed, and the way to every space.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Globe, Trash2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { myOrganizations, type Organization, useOrganization } from "../shell/organization";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./Home.module.css";
import { NewCollection } from "./NewCollection";
import { NewSpace } from "./NewSpace";
import { Places } from "./Places";
import { collectionsOf, spacesOf } from "./queries";
import { Recent } from "./Recent";
import { Waiting } from "./Waiting";
import { Failure } from "../api/client";
import { EmptyState } from "../look/EmptyState";
import { buttonClass } from "../look/Button";

// Only who has no space yet needs it.
const FirstSpace = lazy(() => import("./FirstSpace").then(({ FirstSpace }) => ({ default: FirstSpace })));

export function Home() {
  const asked = useQuery(myOrganizations);
  const { organization } = useOrganization();
  const { organization: named }: { organization?: string } = useParams({ strict: false });
  if (asked.isError && !asked.data) return <Refused failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (asked.data && named && organization?.id !== named)
    return <Refused failure={new Failure(404, t("nothing.text"))} onRetry={() => {}} />;
  return (
    <main id="main" tabIndex={-1} className={styles.home}>
      <Title text={t("home.title")} />
      {organization && <Content key={organization.id} organization={organization} />}
      {!asked.data && <Skeleton shape="card" lines={4} />}
      {asked.data?.length === 0 && <NoOrganization />}
    </main>
  );
}

function Content({ organization }: { organization: Organization }) {
  const spaces = useQuery(spacesOf(organization.id));
  const collections = useQuery(collectionsOf(organization.id));
  const may = organization.permissions.createContent;
  const empty = spaces.data?.length === 0 && collections.data?.length === 0;
  return (
    <>
      <header className={styles.head}>
        <div>
          <p className={styles.organization}>{organization.title}</p>
          <h1 className={styles.title}>{t("home.title")}</h1>
        </div>
        {may && !empty && spaces.data && (
          <div className={styles.actions}>
            <NewCollection organization={organization.id} />
            <NewSpace organization={organization.id} collections={collections.data ?? []} />
          </div>
        )}
      </header>
      {empty ? (
        <>
          <Suspense fallback={<Skeleton shape="card" lines={3} />}>
            <FirstSpace organization={organization} />
          </Suspense>
          <Foot organization={organization.id} trash={may} />
        </>
      ) : (
        <>
          <Waiting organization={organization.id} spaces={spaces.data ?? []} />
          <Recent spaces={spaces} />
          <section className={styles.section} aria-labelledby="home-spaces">
            <h2 id="home-spaces" className={styles.heading}>
              {t("home.spaces")}
            </h2>
            {(spaces.isPending || collections.isPending) && <Skeleton shape="rows" lines={6} />}
            {spaces.isError && <Failed failure={spaces.error} onRetry={() => void spaces.refetch()} />}
            {collections.isError && <Failed failure={collections.error} onRetry={() => void collections.refetch()} />}
            {spaces.data && collections.data && (
              <Places organization={organization.id} spaces={spaces.data} collections={collections.data} />
            )}
          </section>
          <Foot organization={organization.id} trash={may} />
        </>
      )}
    </>
  );
}

// Foot leads to the sites where no rail does, and to the deleted spaces.
function Foot({ organization, trash }: { organization: string; trash: boolean }) {
  return (
    <p className={styles.foot}>
      <Link
        to="/orgs/$organization/sites"
        params={{ organization }}
        className={`${buttonClass("quiet")} ${styles.sites}`}
      >
        <Globe aria-hidden />
        {t("shell.sites")}
      </Link>
      {trash && (
        <Link to="/orgs/$organization/trash" params={{ organization }} className={buttonClass("quiet")}>
          <Trash2 aria-hidden />
          {t("home.trash")}
        </Link>
      )}
    </p>
  );
}

// NoOrganization is what somebody sees who belongs to none: their account has their invitations.
function NoOrganization() {
  const invitations = (
    <a className={buttonClass("primary")} href="/account/organizations">
      {t("home.invitations")}
    </a>
  );
  return (
    <EmptyState title={t("home.nowhere")} level={1} action={invitations}>
      {t("home.nowhereText")}
    </EmptyState>
  );
}
