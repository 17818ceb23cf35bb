import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { t } from "../words/words";
import styles from "./Start.module.css";
import { changesOf, emojiOf, pagesOf, type Template, templates, textOf } from "./templates";

// FromTemplate makes a space with the pages of a template, which are shown before.
export function FromTemplate({ organization }: { organization: string }) {
  const queries = useQueryClient();
  const [template, choose] = useState<Template>("product");
  const language = document.documentElement.lang;
  const pages = useQuery({
    queryKey: ["templates", template, language],
    queryFn: async () => pagesOf(await textOf(template, language)),
    staleTime: Infinity,
  });
  const [made, setMade] = useState<string>();
  const make = useMutation({
    mutationFn: async (title: string) => {
      const path = { organizationId: organization };
      const body = { title, emoji: emojiOf[template] };
      // What failed half-way goes on with the space that is there.
      const space =
        made ??
        (await taken(api.POST("/v1/orgs/{organizationId}/spaces", { params: { path, query: {} as never }, body }))).id;
      setMade(space);
      await taken(
        api.POST("/v1/spaces/{spaceId}/content", {
          params: { path: { spaceId: space } },
          body: { changes: changesOf(pages.data ?? []) },
        }),
      );
      return space;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.spaces(organization) }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title")).trim();
    if (title) make.mutate(title);
  };
  if (make.isSuccess) return <Made organization={organization} space={make.data} />;
  return (
    <form className={styles.columns} onSubmit={submit}>
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{t("start.templates")}</legend>
        {templates.map((name) => (
          <label key={name} className={styles.choice}>
            <input type="radio" name="template" checked={name === template} onChange={() => choose(name)} />
            <span className={styles.emoji} aria-hidden>
              {emojiOf[name]}
            </span>
            <span>
              <strong>{t(`start.template.${name}`)}</strong>
              <span className={styles.about}>{t(`start.template.${name}.text`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={styles.side}>
        <section className={styles.preview} aria-labelledby="template-pages">
          <h2 id="template-pages" className={styles.heading}>
            {t("start.pages")}
          </h2>
          {pages.isPending && <Skeleton lines={4} />}
          {pages.isError && <Failed failure={pages.error} onRetry={() => void pages.refetch()} />}
          <ul>
            {pages.data?.map(({ ref, title, type, into }) => (
              <li key={ref} data-inside={into !== undefined || undefined} data-group={type === "group" || undefined}>
                {title}
              </li>
            ))}
          </ul>
        </section>
        <Field
          key={template}
          name="title"
          label={t("start.name")}
          required
          maxLength={50}
          autoComplete="off"
          defaultValue={t(`start.template.${template}`)}
        />
        {make.isError && <Failed failure={make.error} />}
        <Button kind="primary" type="submit" busy={make.isPending} disabled={!pages.data}>
          {t("home.create")}
        </Button>
      </div>
    </form>
  );
}

function Made({ organization, space }: { organization: string; space: string }) {
  return (
    <div className={styles.made}>
      <p role="status">{t("start.made")}</p>
      <div className={styles.line}>
        <Link to="/spaces/$space" params={{ space }} className={buttonClass("primary")}>
          {t("start.write")}
        </Link>
        <Link
          to="/orgs/$organization/start"
          params={{ organization }}
          search={{ with: "publish", space }}
          className={buttonClass("plain")}
        >
          {t("publish.go")}
        </Link>
      </div>
    </div>
  );
}
