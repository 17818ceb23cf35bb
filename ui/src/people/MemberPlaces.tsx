import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { why } from "../access/reason";
import { roleName } from "../access/role";
import { collectionsOf } from "../home/queries";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { emojiText } from "../space/tree";
import { t } from "../words/words";
import styles from "./People.module.css";
import { spacesOfMember, teamsOfPerson } from "./queries";

// MemberPlaces says where somebody may do what, and what gives it to them: "Edit · Through Writers, from Product".
export function MemberPlaces({ organization, user }: { organization: Organization; user: string }) {
  const spaces = useQuery(spacesOfMember(organization.id, user));
  const teams = useQuery({ ...teamsOfPerson(organization.id, user), enabled: organization.permissions.listTeams });
  const collections = useQuery(collectionsOf(organization.id)).data;
  const items = spaces.data?.items ?? [];
  const rest = (spaces.data?.count ?? 0) - items.length;
  if (spaces.isPending) return <Skeleton shape="rows" lines={2} />;
  if (spaces.isError) return <Failed failure={spaces.error} onRetry={() => void spaces.refetch()} />;
  return (
    <>
      {teams.data && teams.data.length > 0 && (
        <p className={styles.teams}>
          <strong>{t("access.teams")}</strong>{" "}
          {teams.data.map(({ team, member }) => (
            <span key={team.id} className={styles.mark}>
              {member.role === "owner" ? t("team.ownerOf", { title: team.title }) : team.title}
            </span>
          ))}
        </p>
      )}
      {items.length === 0 && <p className={styles.about}>{t("member.nowhere")}</p>}
      <ul className={styles.list}>
        {items.map(({ space, permission, reason }) => (
          <li key={space.id} className={styles.place}>
            <Link to="/spaces/$space" params={{ space: space.id }} className={styles.link}>
              {space.emoji && <span aria-hidden>{emojiText(space.emoji)} </span>}
              {space.title}
            </Link>
            <span className={styles.role}>{roleName(permission)}</span>
            <span className={styles.about}>
              {why(
                { reason },
                { kind: "space", id: space.id },
                (id) => collections?.find((each) => each.id === id)?.title,
              )}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={styles.about}>{t("member.morePlaces", { count: rest })}</p>}
    </>
  );
}
