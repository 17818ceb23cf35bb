// That somebody is there is noted in their organization, so that others see when they were there last.
import { queryOptions } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";

const often = 30 * 60_000;

export const there = (organization: string) =>
  queryOptions({
    queryKey: organizations.there(organization),
    queryFn: async () => {
      await taken(api.POST("/v1/orgs/{organizationId}/ping", { params: { path: { organizationId: organization } } }));
      return true;
    },
    staleTime: often,
    refetchInterval: often,
    retry: false,
  });
