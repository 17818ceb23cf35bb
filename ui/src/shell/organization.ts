// The organization that is worked in: that of the address, else the one that was chosen last, else the first.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { all } from "../api/all";
import { api, type Schemas } from "../api/client";
import { organizations } from "../api/queries";
import { space } from "../space/queries";

export type Organization = Schemas["Organization"];

// myOrganizations asks for the organizations that the person belongs to.
export const myOrganizations = queryOptions({
  queryKey: organizations.all,
  queryFn: () => all((query) => api.GET("/v1/orgs", { params: { query } })),
  staleTime: 5 * 60_000,
});

const chosenKey = "recto.organization";

// choose remembers an organization for addresses that name none.
export function choose(organization: string): void {
  localStorage.setItem(chosenKey, organization);
}

// pick is the rule by itself: the first of the named ones that the person belongs to.
export function pick(mine: Organization[], named: (string | null | undefined)[]): Organization | undefined {
  for (const name of named) {
    const found = mine.find((each) => each.id === name);
    if (found) return found;
  }
  return mine[0];
}

export function useOrganization(): { mine: Organization[]; organization: Organization | undefined } {
  const params: { organization?: string; space?: string } = useParams({ strict: false });
  const mine = useQuery(myOrganizations).data ?? [];
  const shown = useQuery({ ...space(params.space ?? ""), enabled: params.space !== undefined }).data?.organization;
  return { mine, organization: pick(mine, [params.organization, shown, localStorage.getItem(chosenKey)]) };
}
