import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api, type Schemas, taken } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Button, buttonClass } from "../look/Button";
import { CopyButton } from "../look/CopyButton";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import type { Organization } from "../shell/organization";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { addressFrom, addressPattern } from "./address";
import styles from "./Start.module.css";

const audiences = ["public", "unlisted", "share-link"] as const;
type Audience = (typeof audiences)[number];

type Asked = { title: string; visibility: Audience; basename: string };

// publish puts a space on a site of its own. A site that is there already is gone on with, so that a failure half-way
// makes no second one.
async function publish(
  organization: string,
  space: string,
  site: Schemas["Site"] | undefined,
  { title, visibility, basename }: Asked,
  note: (site: Schemas["Site"]) => void,
) {
  const path = { organizationId: organization };
  const made =
    site ??
    (await taken(
      api.POST("/v1/orgs/{organizationId}/sites", {
        params: { path, query: {} as never },
        body: { title, spaces: [space], visibility },
      }),
    ));
  note(made);
  const at = { path: { ...path, siteId: made.id } };
  if (made.basename !== basename || made.visibility !== visibility) {
    note(
      await taken(
        api.PATCH("/v1/orgs/{organizationId}/sites/{siteId}", { params: at, body: { basename, visibility } }),
      ),
    );
  }
  const live = await taken(api.POST("/v1/orgs/{organizationId}/sites/{siteId}/publish", { params: at }));
  if (visibility !== "share-link") return live.urls.published ?? "";
  const link = await taken(
    api.POST("/v1/orgs/{organizationId}/sites/{siteId}/share-links", {
      params: at,
      body: { name: title.slice(0, 50) },
    }),
  );
  return link.urls.published ?? live.urls.published ?? "";
}

// Publish asks who may read a space and where, and then shows the address.
export function Publish({ organization, space }: { organization: Organization; space: string }) {
  const queries = useQueryClient();
  const about = useQuery(spaceQuery(space));
  const [visibility, setVisibility] = useState<Audience>("public");
  const [site, setSite] = useState<Schemas["Site"]>();
  const go = useMutation({
    mutationFn: (asked: Asked) => publish(organization.id, space, site, asked, setSite),
    onSuccess: () =>
      Promise.all(
        [organizations.sites(organization.id), spaces.one(space), organizations.spaces(organization.id)].map(
          (queryKey) => queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const basename = String(new FormData(event.currentTarget).get("basename")).trim();
    if (about.data && basename)
      go.mutate({ title: about.data.title.length < 2 ? organization.title : about.data.title, visibility, basename });
  };
  if (about.isPending) return <Skeleton shape="card" lines={3} />;
  if (about.isError) return <Failed failure={about.error} onRetry={() => void about.refetch()} />;
  if (go.isSuccess) {
    return (
      <div className={styles.made}>
        <p role="status">{t("publish.done")}</p>
        <p className={styles.address}>{go.data}</p>
        <div className={styles.line}>
          <a href={go.data} target="_blank" rel="noreferrer" className={buttonClass("primary")}>
            <ExternalLink aria-hidden />
            {t("publish.open")}
          </a>
          <CopyButton text={go.data} label={t("publish.copy")} />
          <Link to="/spaces/$space" params={{ space }} className={buttonClass("quiet")}>
            {t("start.write")}
          </Link>
        </div>
        <p className={styles.about}>{t("publish.follows")}</p>
      </div>
    );
  }
  if (about.data.urls.published && !site) {
    return (
      <div className={styles.made}>
        <p role="status">{t("publish.already")}</p>
        <p className={styles.address}>{about.data.urls.published}</p>
        <div className={styles.line}>
          <a href={about.data.urls.published} target="_blank" rel="noreferrer" className={buttonClass("primary")}>
            <ExternalLink aria-hidden />
            {t("publish.open")}
          </a>
        </div>
      </div>
    );
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.about}>{t("publish.text", { title: about.data.title })}</p>
      <fieldset className={styles.choices}>
        <legend className={styles.heading}>{t("publish.who")}</legend>
        {audiences.map((each) => (
          <label key={each} className={styles.choice}>
            <input type="radio" name="visibility" checked={each === visibility} onChange={() => setVisibility(each)} />
            <span>
              <strong>{t(`publish.who.${each}`)}</strong>
              <span className={styles.about}>{t(`publish.who.${each}.text`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        name="basename"
        label={t("publish.where")}
        hint={t("publish.where.hint", { start: `${location.origin}/sites/${organization.hostname ?? "…"}/` })}
        required
        maxLength={100}
        pattern={addressPattern}
        title={t("publish.where.wrong")}
        autoComplete="off"
        spellCheck={false}
        defaultValue={site?.basename ?? addressFrom(about.data.title)}
      />
      {go.isError && <Failed failure={go.error} />}
      <div className={styles.line}>
        <Button kind="primary" type="submit" busy={go.isPending}>
          {t("publish.go")}
        </Button>
        <Link to="/spaces/$space" params={{ space }} className={buttonClass("quiet")}>
          {t("publish.later")}
        </Link>
      </div>
    </form>
  );
}
