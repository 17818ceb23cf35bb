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

type Props = { integration: string; component: string; context: Data; props: Data; onDone: () => void };

export function ComponentSettings({ integration, component, context, props, onDone }: Props) {
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const done = useRef(onDone);
  done.current = onDone;
  const [session] = useState(() => {
    const complete = () => {
      setSaved(true);
      done.current();
    };
    const asked = drawing(integration, () => context);
    // What is done in it may change what is kept, without being complete.
    const draw: typeof asked = async (ask) => {
      const drawn = await asked(ask);
      if (ask.action) done.current();
      return drawn;
    };
    return new KitSession({ draw, complete }, component, props);
  });
  useEffect(() => session.start(), [session]);
  // And so may a window that it has opened, such as that of an account.
  useEffect(() => {
    const back = () => done.current();
    addEventListener("focus", back);
    return () => removeEventListener("focus", back);
  }, []);
  // What the script has kept comes back with the installation.
  const now = JSON.stringify(props);
  useEffect(() => session.kept(JSON.parse(now) as Data), [session, now]);
  const specs = async (): Promise<Option[]> => {
    const organizationId = String(context["organizationId"] ?? "");
    const asked = (query: { page?: string; limit?: number }) => api.GET("/v1/orgs/{organizationId}/openapi", { params: { path: { organizationId }, query } });
    return (await queries.fetchQuery({ queryKey: organizations.specs(organizationId), queryFn: () => all(asked) })).map(({ slug }) => ({ id: slug, label: slug }));
  };
  return (
    <div className={styles.component}>
      <Kit session={session} specs={specs} nothing={<Button onClick={() => session.start()}>{t("integrations.again")}</Button>} />
      <span role="status" className={styles.note}>
        {saved && t("integrations.saved")}
      </span>
    </div>
  );
}
