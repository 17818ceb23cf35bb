// The API descriptions that the pages of a space name, and a way to add a whole reference from one.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { FileBraces } from "lucide-react";
import { type FormEvent } from "react";
import { api, taken } from "../api/client";
import { changeRequests, spaces } from "../api/queries";
import { startDraft } from "../change-request/draft";
import { Button, buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { Title } from "../shell/Title";
import { space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import styles from "./OpenAPI.module.css";
import { specsOf, specsIn } from "./queries";

// So many of the places are named.
const named = 8;

export function SpaceSpecs() {
  const { space = "", number }: { space?: string; number?: string } = useParams({ strict: false });
  const change = number === undefined ? undefined : Number(number);
  const about = useQuery(spaceQuery(space)).data;
  const uses = useQuery(specsIn(space, change));
  const specs = useQuery({ ...specsOf(about?.organization ?? ""), enabled: about !== undefined });
  const may = about?.permissions.edit;
  const organization = about?.organization ?? "";
  const known = specs.data ?? [];
  return (
    <div className={styles.screen}>
      <Title text={t("openapi.title")} />
      <h1 className={styles.title}>{t("openapi.title")}</h1>
      {uses.isError && !uses.data && <Failed failure={uses.error} onRetry={() => void uses.refetch()} />}
      {(uses.isPending || specs.isPending) && <Skeleton shape="rows" lines={4} />}
      {uses.data?.length === 0 && specs.data && (
        <EmptyState
          icon={<FileBraces />}
          title={t("openapi.space.none")}
          action={
            known.length === 0 && (
              <Link to="/orgs/$organization/openapi" params={{ organization }} className={buttonClass("primary")}>
                {t("openapi.space.toAll")}
              </Link>
            )
          }
        >
          {t(known.length === 0 ? "openapi.space.first" : "openapi.space.how")}
        </EmptyState>
      )}
      {uses.data && uses.data.length > 0 && (
        <ul className={`${styles.rows} ${styles.part}`}>
          {uses.data.map(({ slug, places }) => (
            <li key={slug} className={styles.use}>
              <Link to="/orgs/$organization/openapi/$slug" params={{ organization, slug }} className={styles.name}>
                {slug}
              </Link>
              {specs.data && !known.some((each) => each.slug === slug) && (
                <span className={styles.state} data-state="failed">
                  {t("openapi.space.gone")}
                </span>
              )}
              <span className={styles.from}>
                {places.slice(0, named).map(({ id, title, page }) =>
                  page ? (
                    <Link
                      key={id}
                      {...(change === undefined
                        ? ({ to: "/spaces/$space/pages/$page", params: { space, page: id } } as const)
                        : ({
                            to: "/spaces/$space/changes/$number/pages/$page",
                            params: { space, number: String(change), page: id },
                          } as const))}
                    >
                      {title || t("tree.untitled")}
                    </Link>
                  ) : (
                    <span key={id}>{title}</span>
                  ),
                )}
                {places.length > named && (
                  <span className={styles.note}>{t("openapi.space.more", { count: places.length - named })}</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {may && known.length > 0 && <AddReference space={space} change={change} slugs={known.map(({ slug }) => slug)} />}
    </div>
  );
}

// AddReference puts pages that are made from a description at the end of the tree, in the draft.
function AddReference({ space, change, slugs }: { space: string; change: number | undefined; slugs: string[] }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: async ({
      slug,
      title,
      models,
      byOperation,
    }: {
      slug: string;
      title: string;
      models: boolean;
      byOperation: boolean;
    }) => {
      const number = change ?? (await startDraft(queries, space)).number;
      const path = { spaceId: space, changeRequestId: String(number) };
      const computed = {
        type: "builtin:openapi" as const,
        props: { models, ...(byOperation ? { grouping: "by-operation" } : {}) },
        dependencies: { spec: { ref: { kind: "openapi", spec: slug } } },
      };
      await taken(
        api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content", {
          params: { path, query: { compat: "false" } },
          body: { changes: [{ operation: "insert_page", type: "computed", title, computed }] },
        }),
      );
      return number;
    },
    onSuccess: async (number) => {
      await queries.invalidateQueries({ queryKey: spaces.changedPages(space, number) });
      void queries.invalidateQueries({ queryKey: changeRequests.changes(space, number) });
      void queries.invalidateQueries({ queryKey: spaces.content(space, number) });
      await navigate({ to: "/spaces/$space/changes/$number/openapi", params: { space, number: String(number) } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    add.mutate({
      slug: String(data.get("slug")),
      title: String(data.get("title")).trim(),
      models: data.has("models"),
      byOperation: data.has("operations"),
    });
  };
  return (
    <form className={`${styles.part} ${styles.form}`} onSubmit={submit}>
      <h2 className={styles.heading}>{t("openapi.reference")}</h2>
      <p className={styles.note}>{t("openapi.reference.text")}</p>
      <Field
        name="slug"
        label={t("openapi.reference.of")}
        control={
          <select>
            {slugs.map((slug) => (
              <option key={slug} value={slug}>
                {slug}
              </option>
            ))}
          </select>
        }
      />
      <Field
        name="title"
        label={t("home.spaceTitle")}
        hint={t("openapi.reference.title")}
        defaultValue="API"
        maxLength={100}
        autoComplete="off"
      />
      {(["models", "operations"] as const).map((each) => (
        <label key={each} className={styles.choice}>
          <input type="checkbox" name={each} />
          {t(`openapi.reference.${each}`)}
        </label>
      ))}
      {add.isError && <Failed failure={add.error} />}
      <Button type="submit" kind="primary" busy={add.isPending} className={styles.start!}>
        {t("openapi.reference.add")}
      </Button>
    </form>
  );
}
