// Where an API description comes from: an address that the server fetches, or a file that is sent.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { api, Failure, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { slugOf } from "./operations";
import styles from "./OpenAPI.module.css";
import { root, type Spec } from "./queries";

// The server takes no longer descriptions.
const most = 10 << 20;

type Props = { organization: string; spec?: Spec; onClose: () => void };

// SpecDialog adds a description, or gives the one that is there another source.
export function SpecDialog({ organization, spec, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [from, setFrom] = useState<"url" | "file">(spec && !spec.sourceURL ? "file" : "url");
  const [slug, setSlug] = useState(spec?.slug ?? "");
  const [own, setOwn] = useState(spec !== undefined);
  const save = useMutation({
    mutationFn: async (data: FormData) => {
      const file = data.get("file");
      if (from === "file" && (!(file instanceof File) || file.size > most))
        throw new Failure(400, t("openapi.tooLarge"));
      const source = from === "url" ? { url: String(data.get("url")).trim() } : { text: await (file as File).text() };
      if (spec)
        return taken(
          api.PUT(root, { params: { path: { organizationId: organization, specSlug: spec.slug } }, body: { source } }),
        );
      return taken(
        api.POST("/v1/orgs/{organizationId}/openapi", {
          params: { path: { organizationId: organization } },
          body: { slug: slug.trim(), source },
        }),
      );
    },
    onSuccess: async (made) => {
      queries.setQueryData(organizations.spec(organization, made.slug), made);
      void queries.invalidateQueries({ queryKey: organizations.specs(organization) });
      onClose();
      if (!spec) await navigate({ to: "/orgs/$organization/openapi/$slug", params: { organization, slug: made.slug } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget));
  };
  const suggest = (name: string) => !own && setSlug(slugOf(name));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(spec ? "openapi.source.change" : "openapi.add")}
      description={t("openapi.add.text")}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={save.isPending}>
            {t(spec ? "place.save" : "openapi.add.do")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <fieldset className={styles.choices}>
          <legend className={styles.label}>{t("openapi.source")}</legend>
          {(["url", "file"] as const).map((each) => (
            <label key={each} className={styles.choice}>
              <input type="radio" name="from" checked={from === each} onChange={() => setFrom(each)} />
              {t(`openapi.source.${each}`)}
            </label>
          ))}
        </fieldset>
        {from === "url" ? (
          <Field
            name="url"
            type="url"
            label={t("openapi.url")}
            hint={t("openapi.url.hint")}
            placeholder="https://api.example.com/openapi.yaml"
            defaultValue={spec?.sourceURL ?? ""}
            required
            maxLength={2048}
            autoComplete="off"
            onChange={(event) =>
              URL.canParse(event.target.value) &&
              suggest(new URL(event.target.value).host.replace(/^(www|api|docs)\./, ""))
            }
          />
        ) : (
          <Field
            name="file"
            type="file"
            label={t("openapi.file")}
            hint={t("openapi.file.hint")}
            accept=".json,.yaml,.yml,application/json,application/yaml"
            required
            onChange={(event) => suggest((event.target as HTMLInputElement).files?.[0]?.name ?? "")}
          />
        )}
        {!spec && (
          <Field
            name="slug"
            label={t("openapi.slug")}
            hint={t("openapi.slug.hint")}
            value={slug}
            required
            maxLength={100}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setOwn(true);
              setSlug(event.target.value);
            }}
          />
        )}
        {save.isError && <Failed failure={save.error} />}
      </form>
    </Dialog>
  );
}
