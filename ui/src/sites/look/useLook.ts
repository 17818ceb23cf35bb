// How a site looks, or a space on it: each choice is saved by itself, one after the other, and can be undone.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, done, taken } from "../../api/client";
import { usePending } from "../../api/pending";
import { at, type Customization, customizationOf, keyOf, root } from "../queries";
import { type Change, difference, merged, overrides, undone } from "./change";

// Done is what a step has changed.
type Done = { before: Customization; after: Customization };
type Step = { change: Change } | { undo: true } | { reset: true };

export function useLook(organization: string, site: string, siteSpace: string, onSaved: () => void) {
  const queries = useQueryClient();
  const path = at(organization, site);
  const { queryKey } = customizationOf(organization, site, siteSpace);
  const asked = useQuery(customizationOf(organization, site, siteSpace));
  // What each step has changed, of the site and of each space on it.
  const history = useRef<Record<string, Done[]>>({});
  const past = (history.current[siteSpace] ??= []);
  const [, drawAgain] = useState({});
  const mutationKey = [...keyOf(organization, site), "look", siteSpace];
  const changes = usePending<Step>(mutationKey).flatMap((step) => ("change" in step ? [step.change] : []));
  const put = (body: Customization) =>
    taken(api.PUT(`${root}/customization`, { params: { path }, body: body as never }));
  const patch = (body: Record<string, unknown>) =>
    taken(
      api.PATCH(`${root}/site-spaces/{siteSpaceId}/customization`, {
        params: { path: { ...path, siteSpaceId: siteSpace } },
        body: body as never,
      }),
    );
  const save = useMutation({
    mutationKey,
    scope: { id: `look-${site}-${siteSpace}` },
    mutationFn: async (step: Step) => {
      // Others may have changed something since the screen was opened: a site's look is sent as a whole.
      const now = await queries.fetchQuery({ ...customizationOf(organization, site, siteSpace), staleTime: 0 });
      const { before, after } = past.at(-1) ?? { before: now, after: now };
      let made: Customization;
      if ("reset" in step) {
        await done(
          api.DELETE(`${root}/site-spaces/{siteSpaceId}/customization`, {
            params: { path: { ...path, siteSpaceId: siteSpace } },
          }),
        );
        made = await queries.fetchQuery({ ...customizationOf(organization, site, siteSpace), staleTime: 0 });
      } else if (siteSpace) {
        const ofSite = await queries.ensureQueryData(customizationOf(organization, site));
        made = await patch("undo" in step ? undone(after, before, ofSite) : overrides(now, step.change));
      } else {
        made = await put(merged(now, "undo" in step ? difference(after, before) : step.change));
      }
      return { made, now };
    },
    onSuccess: ({ made, now }, step) => {
      queries.setQueryData(queryKey, made);
      // What the spaces have that have no value of their own is the site's.
      if (!siteSpace)
        void queries.invalidateQueries({
          queryKey: [...keyOf(organization, site), "customization"],
          predicate: (query) => query.queryKey.at(-1) !== "",
        });
      if ("undo" in step) past.pop();
      else past.push({ before: now, after: made });
      drawAgain({});
      onSaved();
    },
  });
  return {
    asked,
    // What is shown in the form: what is on its way shows at once.
    value: asked.data && changes.reduce<Customization>(merged, asked.data),
    set: (change: Change) => save.mutate({ change }),
    setNow: (change: Change) => save.mutateAsync({ change }),
    undo: past.length + changes.length > 0 ? () => save.mutate({ undo: true }) : undefined,
    reset: () => save.mutate({ reset: true }),
    failure: save.error,
    busy: save.isPending,
    saved: save.isSuccess,
  };
}

// Look is a customization and how it is changed.
export type Look = {
  value: Customization;
  set: (change: Change) => void;
  setNow: (change: Change) => Promise<unknown>;
  // Whether a space is looked at, which cannot have everything of its own.
  within: string;
};
