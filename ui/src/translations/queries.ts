// What the screens of translations ask of the API.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";

export type Translation = Schemas["Translation"];
export type Language = Schemas["TranslationLanguage"];
export type Counts = Schemas["TranslationCounts"];
export type State = "missing" | "stale";

export const root = "/v1/orgs/{organizationId}/translations" as const;
export const one = `${root}/{translationSettingsId}` as const;
export const ofLanguage = `${one}/languages/{language}` as const;

// While something is on its way it is asked for so often, in milliseconds.
const soon = 1500;
// works reports whether a language is still being worked on.
export const works = ({ status, machine }: Language) =>
  [status, machine.status].some((each) => each === "pending" || each === "running");

// translationsOf asks for all translations of an organization.
export const translationsOf = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.translations(organization), "all"],
    queryFn: () => all((query) => api.GET(root, { params: { path: { organizationId: organization }, query } })),
  });

// languagesOf asks how far the languages of a translation are.
export const languagesOf = (organization: string, translation: string) =>
  queryOptions({
    queryKey: [...organizations.translations(organization), translation, "languages"],
    queryFn: async () =>
      (
        await taken(
          api.GET(`${one}/languages`, {
            params: { path: { organizationId: organization, translationSettingsId: translation } },
          }),
        )
      ).items ?? [],
    refetchInterval: (query) => (query.state.data?.some(works) ? soon : false),
  });

// pagesOf asks how far the pages of a language are, piece by piece.
export const pagesOf = (organization: string, translation: string, language: string) =>
  infiniteQueryOptions({
    queryKey: [...organizations.translations(organization), translation, "pages", language],
    queryFn: ({ pageParam }) =>
      taken(
        api.GET(`${ofLanguage}/pages`, {
          params: {
            path: { organizationId: organization, translationSettingsId: translation, language },
            query: { limit: 100, ...(pageParam ? { page: pageParam } : {}) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (piece) => piece.next?.page,
  });

// segmentsOf asks for the texts of a page that wait for a translation.
export const segmentsOf = (organization: string, translation: string, language: string, page: string, state: State) =>
  queryOptions({
    queryKey: [...organizations.translations(organization), translation, "segments", language, page, state],
    queryFn: () =>
      all((query) =>
        api.GET(`${ofLanguage}/segments`, {
          params: {
            path: { organizationId: organization, translationSettingsId: translation, language },
            query: { ...query, pageId: page, state },
          },
        }),
      ),
  });

// Place is what a space has to do with a translation: it is the source, or the variant in a language.
export type Place = { translation: Translation; language?: string };

// placeOf finds the translation that a space belongs to. languages are those of each translation, by its id.
export function placeOf(
  space: string,
  translations: Translation[],
  languages: Map<string, Language[]>,
): Place | undefined {
  for (const translation of translations) {
    if (translation.source?.space === space) return { translation };
    const variant = (languages.get(translation.id) ?? []).find((each) => each.space === space);
    if (variant) return { translation, language: variant.language };
  }
  return undefined;
}

// shareOf is how many of the words are translated, from 0 to 1.
export const shareOf = ({ words, wordsTranslated }: Pick<Counts, "words" | "wordsTranslated">) =>
  words === 0 ? 1 : wordsTranslated / words;
