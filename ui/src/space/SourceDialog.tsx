// A source of content that an integration brings: what the pages that it makes are called, and the settings that its
// script draws. What the script gives back at the end is what the pages are made from.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { all } from "../api/all";
import { api } from "../api/client";
import { organizations } from "../api/queries";
import type { Data, Option } from "../kit/elements";
import { Kit } from "../kit/Kit";
import { drawing } from "../kit/queries";
import { KitSession } from "../kit/session";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Spinner } from "../look/Spinner";
import { t } from "../words/words";
import { space as spaceQuery } from "./queries";
import { type Computed, computedOf, type Source } from "./sources";

type Props = {
  space: string;
  source: Source;
  // What the pages are made from so far, and what they are called; without it they are new.
  now?: { title: string; props: Data };
  // Keeps what was set; the dialog closes when it is kept.
  onKeep: (title: string, computed: Computed) => Promise<unknown>;
  onClose: () => void;
};

export function SourceDialog(props: Props) {
  const { space, source, now, onClose } = props;
  const organization = useQuery(spaceQuery(space)).data?.organization;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(now ? "source.change.title" : "source.new.title", { title: now?.title || source.title })}
      description={source.description || t("source.by", { integration: source.integrationTitle })}
    >
      {organization ? <Settings {...props} organization={organization} /> : <Spinner label={t("look.loading")} />}
    </Dialog>
  );
}

function Settings({ space, source, now, organization, onKeep, onClose }: Props & { organization: string }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(now?.title ?? source.title);
  const keep = useMutation({
    mutationFn: (returned: Data | null) => onKeep(title.trim(), computedOf(source, returned)),
    onSuccess: onClose,
  });
  const { mutate } = keep;
  const complete = useRef(mutate);
  complete.current = mutate;
  const [session] = useState(() => {
    const context = { type: "configuration_contentsource", organizationId: organization, spaceId: space };
    return new KitSession(
      { draw: drawing(source.integration, () => context), complete: (returned) => complete.current(returned) },
      source.configuration.componentId,
      now?.props ?? {},
    );
  });
  useEffect(() => session.start(), [session]);
  const specs = async (): Promise<Option[]> => {
    const path = { organizationId: organization };
    const asked = (query: { page?: string; limit?: number }) =>
      api.GET("/v1/orgs/{organizationId}/openapi", { params: { path, query } });
    return (await queries.fetchQuery({ queryKey: organizations.specs(organization), queryFn: () => all(asked) })).map(
      ({ slug }) => ({ id: slug, label: slug }),
    );
  };
  // A script that draws nothing has no settings; one that is done has given them.
  const nothing = keep.isIdle ? (
    <>
      <p>{t("source.plain")}</p>
      <Button kind="primary" onClick={() => mutate(null)}>
        {t(now ? "source.keep" : "tree.create")}
      </Button>
    </>
  ) : keep.isPending ? (
    <Spinner label={t("look.loading")} />
  ) : null;
  return (
    <>
      <Field
        name="title"
        label={t("home.spaceTitle")}
        hint={t("source.title")}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        maxLength={100}
        autoComplete="off"
      />
      <Kit session={session} specs={specs} nothing={nothing} />
      {keep.isError && <Failed failure={keep.error} onRetry={() => mutate(keep.variables)} />}
    </>
  );
}
