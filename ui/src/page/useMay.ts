import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { space as spaceQuery } from "../space/queries";
import { begun as begunQuery, type Begun, type Place } from "./server";

// useMay says whether this person may write the page, which changes with their role. Who comes to write it begins anew.
export function useMay(place: Place, { may, mode }: Begun): boolean {
  const queries = useQueryClient();
  const now = useQuery(spaceQuery(place.space)).data?.permissions.edit ?? may;
  useEffect(() => {
    if (now && !may) void queries.refetchQueries({ queryKey: begunQuery(queries, place, mode).queryKey, exact: true });
  }, [queries, place, mode, now, may]);
  return may && now;
}
