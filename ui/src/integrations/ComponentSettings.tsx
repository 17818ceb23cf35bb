// Settings that the script of an integration draws and keeps.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { all } from "../api/all";
import { api } from "../api/client";
import { organizations } from "../api/queries";
import type { Data, Option } from "../kit/elements";
import { Kit } from "../kit/Kit";
import { drawing } from "../kit/queries";
import { KitSession } from "../kit/session";
import { Button } from "../look/Button";
import { t } from "../words/words";
import styles from "./Integrations.module.css";
import { useOutcome } from "./window";

type Props = {
  integration: string;
  component: string;
  context: Data;
  props: Data;
  onDone: () => void;
  // onRefresh asks anew for what is configured.
  onRefresh: () => void;
};

export function ComponentSettings({ integration, component, context, props, onDone, onRefresh }: Props) {
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const done = useRef(onDone);
  done.current = onDone;
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;
  const acted = useRef(false);
  const [session] = useState(() => {
    const complete = () => {
      setSaved(true);
      done.current();
    };
    // What its script keeps while it acts is known here once it is asked for.
    return new KitSession(
      {
        draw: drawing(integration, () => context),
        complete,
        acted: () => {
          acted.current = true;
          refresh.current();
        },
      },
      component,
      props,
    );
  });
  useEffect(() => session.start(), [session]);
  // A page that was opened from here may configure it, as a sign-in elsewhere does.
  const [away, setAway] = useState(false);
  const opened = useRef(false);
  // What the script has kept comes back with the installation.
  const now = JSON.stringify(props);
  const before = useRef(now);
  useEffect(() => {
    if (before.current !== now) setSaved(true);
    before.current = now;
    const kept = JSON.parse(now) as Data;
    if (opened.current && !acted.current) session.renewed(kept);
    else session.kept(kept);
    opened.current = acted.current = false;
  }, [session, now]);
  useOutcome(away, onRefresh, () => setAway(false));
  useEffect(() => setAway(false), [now]);
  const specs = async (): Promise<Option[]> => {
    const organizationId = String(context["organizationId"] ?? "");
    const asked = (query: { page?: string; limit?: number }) =>
      api.GET("/v1/orgs/{organizationId}/openapi", { params: { path: { organizationId }, query } });
    return (await queries.fetchQuery({ queryKey: organizations.specs(organizationId), queryFn: () => all(asked) })).map(
      ({ slug }) => ({ id: slug, label: slug }),
    );
  };
  return (
    <div
      className={styles.component}
      onClick={(event) => {
        if (!(event.target as Element).closest("a[target=_blank]")) return;
        opened.current = true;
        acted.current = false;
        setAway(true);
      }}
    >
      <Kit
        session={session}
        specs={specs}
        nothing={<Button onClick={() => session.start()}>{t("integrations.again")}</Button>}
      />
      <span role="status" className={styles.note}>
        {saved && t("integrations.saved")}
      </span>
    </div>
  );
}
