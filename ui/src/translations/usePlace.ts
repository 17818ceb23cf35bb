import { useQueries, useQuery } from "@tanstack/react-query";
import { space as spaceQuery } from "../space/queries";
import { type Language, languagesOf, placeOf, translationsOf } from "./queries";

// usePlace returns what a space has to do with a translation, once it is known.
export function usePlace(space: string) {
  const about = useQuery(spaceQuery(space));
  const organization = about.data?.organization ?? "";
  const list = useQuery({ ...translationsOf(organization), enabled: organization !== "" });
  const asked = useQueries({ queries: (list.data ?? []).map((each) => languagesOf(organization, each.id)) });
  const languages = new Map<string, Language[]>(
    (list.data ?? []).map((each, index) => [each.id, asked[index]?.data ?? []]),
  );
  const known = list.data !== undefined && asked.every(({ isPending }) => !isPending);
  return {
    organization,
    about: about.data,
    known,
    failure: about.error ?? list.error,
    again: () => void Promise.all([about.refetch(), list.refetch()]),
    place: placeOf(space, list.data ?? [], languages),
    languages,
  };
}
