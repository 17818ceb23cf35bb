// Somebody who is known by an id alone, by their name.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, Failure, taken } from "../api/client";
import { Avatar } from "../look/Avatar";
import { t } from "../words/words";
import styles from "./Somebody.module.css";

// userOf asks who somebody is; null for one whom the caller may not know, or who is gone.
export const userOf = (id: string) =>
  queryOptions({
    queryKey: ["users", id],
    queryFn: async () => {
      try {
        return await taken(api.GET("/v1/users/{userId}", { params: { path: { userId: id } } }));
      } catch (failure) {
        if (failure instanceof Failure && (failure.status === 404 || failure.status === 403)) return null;
        throw failure;
      }
    },
    staleTime: 300_000,
  });

type Props = { id: string; picture?: boolean };

export function Somebody({ id, picture = false }: Props) {
  const { data } = useQuery(userOf(id));
  const name = data === null ? t("people.unknown") : (data?.displayName ?? "…");
  return (
    <span className={styles.somebody}>
      {picture && <Avatar name={name} picture={data?.photoURL} size="small" />}
      <bdi>{name}</bdi>
    </span>
  );
}
