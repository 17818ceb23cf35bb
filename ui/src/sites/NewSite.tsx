import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import { spacesOf } from "../home/queries";
import { Button } from "../look/Button";
import { ChooseMany, type Option } from "../look/ChooseMany";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Sites.module.css";

// NewSite asks what a site is called and what is on it, and opens it. Readers see it when it is published.
export function NewSite({ organization, onClose }: { organization: string; onClose: () => void }) {
  const form = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const spaces = useQuery(spacesOf(organization)).data ?? [];
  const options = spaces.filter((each) => each.permissions.manage).map((each) => ({ id: each.id, label: each.title }));
  const [chosen, choose] = useState<Option[]>([]);
  const create = useMutation({
    mutationFn: (body: { title: string; spaces: string[] }) =>
      taken(
        api.POST("/v1/orgs/{organizationId}/sites", {
          params: { path: { organizationId: organization }, query: {} as never },
          body,
        }),
      ),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: organizations.sites(organization) });
      return navigate({ to: "/orgs/$organization/sites/$site", params: { organization, site: made.id } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title")).trim();
    if (title) create.mutate({ title, spaces: chosen.map(({ id }) => id) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("sites.new")}
      description={t("sites.new.text")}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={create.isPending}>
            {t("sites.create")}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <Field name="title" label={t("home.spaceTitle")} required minLength={2} maxLength={128} autoComplete="off" />
        <div className={styles.form}>
          <span className={styles.label}>{t("sites.spaces")}</span>
          <ChooseMany
            label={t("sites.spaces.choose")}
            none={t("sites.spaces.none")}
            options={options}
            chosen={chosen}
            onChange={choose}
          />
        </div>
        {create.isError && <Failed failure={create.error} />}
      </form>
    </Dialog>
  );
}
