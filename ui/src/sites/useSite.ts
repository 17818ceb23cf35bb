// Changes of one site. Whatever was changed, all about it is asked again.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { organizations, spaces } from "../api/queries";

export function useSite(organization: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: spaces.all });
      await queries.invalidateQueries({ queryKey: organizations.sites(organization) });
    },
  });
}

export type SiteChange = ReturnType<typeof useSite>;
