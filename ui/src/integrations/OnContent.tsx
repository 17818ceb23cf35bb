// The spaces, or the sites, that an installation is on: all, or some of them, each with what it is told for them.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useId, useState } from "react";
import { api, done, taken } from "../api/client";
import { organizations } from "../api/queries";
import { spacesOf } from "../home/queries";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { sitesOf } from "../sites/queries";
import { t } from "../words/words";
import { type Described, hasSettings } from "./configuration";
import styles from "./Integrations.module.css";
import { type Installation, installed, type Integration, onSites, onSpaces } from "./queries";
import { Settings } from "./Settings";
import { StatusBadge } from "./StatusBadge";

type Props = {
  kind: "space" | "site";
  organization: string;
  integration: Integration;
  installation: Installation;
  may: boolean;
};

export function OnContent({ kind, organization, integration, installation, may }: Props) {
  const id = useId();
  const queries = useQueryClient();
  const path = { integrationName: integration.name, installationId: installation.id };
  const asked = {
    spaces: useQuery({ ...onSpaces(organization, integration.name, installation.id), enabled: kind === "space" }),
    sites: useQuery({ ...onSites(organization, integration.name, installation.id), enabled: kind === "site" }),
  };
  const there = kind === "space" ? asked.spaces : asked.sites;
  const spaces = useQuery({ ...spacesOf(organization), enabled: kind === "space" }).data;
  const sites = useQuery({ ...sitesOf(organization), enabled: kind === "site" }).data;
  const places = (kind === "space" ? spaces : sites) ?? [];
  const [adding, setAdding] = useState("");
  const [open, setOpen] = useState("");
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: organizations.integrations(organization) }),
    [queries, organization],
  );
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.integrations(organization) }),
  });
  const selection = kind === "space" ? installation.space_selection : installation.site_selection;
  const select = (to: "all" | "selected") =>
    change.mutate(() =>
      taken(
        api.PATCH(installed, {
          params: { path },
          body: kind === "space" ? { space_selection: to } : { site_selection: to },
        }),
      ),
    );
  const put = (place: string) => () =>
    kind === "space"
      ? taken(api.POST(`${installed}/spaces`, { params: { path }, body: { space: place } }))
      : taken(api.POST(`${installed}/sites`, { params: { path }, body: { siteId: place } }));
  const take = (place: string) => () =>
    kind === "space"
      ? done(api.DELETE(`${installed}/spaces/{spaceId}`, { params: { path: { ...path, spaceId: place } } }))
      : done(api.DELETE(`${installed}/sites/{siteId}`, { params: { path: { ...path, siteId: place } } }));
  const configure = (place: string, configuration: Record<string, unknown>) => () =>
    kind === "space"
      ? taken(
          api.PATCH(`${installed}/spaces/{spaceId}`, {
            params: { path: { ...path, spaceId: place } },
            body: { configuration },
          }),
        )
      : taken(
          api.PATCH(`${installed}/sites/{siteId}`, {
            params: { path: { ...path, siteId: place } },
            body: { configuration },
          }),
        );
  const described = integration.configurations[kind] as Described | undefined;
  const list =
    kind === "space"
      ? (asked.spaces.data ?? []).map((each) => ({ ...each, id: idOf(each.space) }))
      : (asked.sites.data ?? []).map((each) => ({ ...each, id: idOf(each.site) }));
  const free = places.filter((each) => !list.some((one) => one.id === each.id));
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {t(`integrations.on.${kind}`)}
      </h2>
      {may && (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{t(`integrations.on.${kind}`)}</legend>
          {(["all", "selected"] as const).map((each) => (
            <label key={each} className={styles.choice}>
              <input type="radio" name={id} checked={selection === each} onChange={() => select(each)} />
              {t(`integrations.selection.${kind}.${each}`)}
            </label>
          ))}
        </fieldset>
      )}
      {there.isError && !there.data && <Failed failure={there.error} onRetry={() => void there.refetch()} />}
      {there.isPending && <Skeleton shape="rows" lines={2} />}
      {change.isError && <Failed failure={change.error} />}
      {list.length > 0 && (
        <ul className={styles.rows}>
          {list.map((each) => {
            const place = places.find((one) => one.id === each.id);
            return (
              <li key={each.id}>
                <div className={styles.row}>
                  <span className={styles.words}>
                    {kind === "space" ? (
                      <Link to="/spaces/$space" params={{ space: each.id }} className={styles.name}>
                        {place?.title ?? each.id}
                      </Link>
                    ) : (
                      <Link
                        to="/orgs/$organization/sites/$site"
                        params={{ organization, site: each.id }}
                        className={styles.name}
                      >
                        {place?.title ?? each.id}
                      </Link>
                    )}
                  </span>
                  <StatusBadge status={each.status} />
                  {hasSettings(described) && (
                    <Button
                      kind="quiet"
                      aria-expanded={open === each.id}
                      onClick={() => setOpen(open === each.id ? "" : each.id)}
                    >
                      {t("integrations.configure")}
                    </Button>
                  )}
                  {selection === "selected" && (
                    <Button kind="quiet" onClick={() => change.mutate(take(each.id))}>
                      {t("integrations.take")}
                    </Button>
                  )}
                </div>
                {open === each.id && (
                  <div className={styles.inner}>
                    <Settings
                      integration={integration.name}
                      status={each.status}
                      context={
                        kind === "space"
                          ? { type: "configuration_space", spaceId: each.id, organizationId: organization }
                          : { type: "configuration_site", siteId: each.id, organizationId: organization }
                      }
                      props={{ installation, [`${kind}Installation`]: each }}
                      endpoint={each.urls.publicEndpoint}
                      onRefresh={refresh}
                      described={described}
                      configuration={each.configuration}
                      busy={change.isPending}
                      failure={null}
                      saved={change.isSuccess}
                      onSave={(configuration) => change.mutate(configure(each.id, configuration))}
                    />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {there.data && list.length === 0 && <p className={styles.note}>{t(`integrations.on.${kind}.none`)}</p>}
      {selection === "selected" && free.length > 0 && (
        <form
          className={styles.adding}
          onSubmit={(event) => {
            event.preventDefault();
            if (adding) change.mutate(put(adding), { onSuccess: () => setAdding("") });
          }}
        >
          <select
            className={styles.select}
            aria-label={t(`integrations.choose.${kind}`)}
            value={adding}
            onChange={(event) => setAdding(event.target.value)}
          >
            <option value="">{t(`integrations.choose.${kind}`)}</option>
            {free.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
          <Button type="submit" disabled={adding === ""}>
            {t("integrations.put")}
          </Button>
        </form>
      )}
    </section>
  );
}

const idOf = (place: string | { id: string }) => (typeof place === "string" ? place : place.id);
