import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId } from "react";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import styles from "./Home.module.css";
import type { Collection } from "./queries";

type Props = {
  organization: string;
  collections: Collection[];
  parent?: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

// NewSpaceDialog asks for a title, and in which collection when there are some, and opens the space that it makes.
export function NewSpaceDialog({ organization, collections, parent: within = "", open, onOpenChange }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: { title: string; parent?: string }) =>
      taken(
        api.POST("/v1/orgs/{organizationId}/spaces", {
          params: { path: { organizationId: organization }, query: {} as never },
          body,
        }),
      ),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: organizations.spaces(organization) });
      return navigate({ to: "/spaces/$space", params: { space: made.id } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const title = String(filled.get("title")).trim();
    const parent = String(filled.get("parent") ?? "");
    if (title) create.mutate({ title, ...(parent ? { parent } : {}) });
  };
  const mine = collections.filter((each) => each.permissions.create);
  const actions = (
    <>
      <Button onClick={() => onOpenChange(false)}>{t("look.cancel")}</Button>
      <Button kind="primary" type="submit" form={form} busy={create.isPending}>
        {t("home.create")}
      </Button>
    </>
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("home.newSpace")}
      description={t("home.newSpaceText")}
      actions={actions}
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <Field name="title" label={t("home.spaceTitle")} required maxLength={50} autoComplete="off" />
        {mine.length > 0 && (
          <Field
            name="parent"
            label={t("home.spaceParent")}
            control={
              <select defaultValue={within}>
                <option value="">{t("home.noParent")}</option>
                {mine.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.title}
                  </option>
                ))}
              </select>
            }
          />
        )}
        {!within && (
          <p>
            {/* It may be below the dialog already. */}
            <Link
              to="/orgs/$organization/start"
              params={{ organization }}
              className={styles.elsewhere}
              onClick={() => onOpenChange(false)}
            >
              {t("home.more")}
            </Link>
          </p>
        )}
        {create.isError && <Failed failure={create.error} />}
      </form>
    </Dialog>
  );
}
