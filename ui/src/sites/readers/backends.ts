import type { Schemas } from "../../api/client";

// mayLetIn is the scope of integrations that sign visitors in.
const mayLetIn = "site:visitor:auth";

// letIn returns those integrations of a site that may sign its visitors in, by their titles.
export function letIn(
  list: Pick<Schemas["Integration"], "name" | "title" | "scopes">[],
): { name: string; title: string }[] {
  return list.filter(({ scopes }) => scopes?.includes(mayLetIn)).sort((a, b) => a.title.localeCompare(b.title));
}
