import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, done } from "../api/client";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import type { Space } from "../space/queries";
import { t } from "../words/words";
import styles from "./Places.module.css";

type Props = { organization: string; space: Space; onClose: () => void };

// ForGoodDialog deletes a space for good, once its title was typed.
export function ForGoodDialog({ organization, space, onClose }: Props) {
  const form = useId();
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const purge = useMutation({
    mutationFn: () =>
      done(
        api.DELETE("/v1/orgs/{organizationId}/trash/{spaceId}", {
          params: { path: { organizationId: organization, spaceId: space.id } },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: organizations.trash(organization) });
      onClose();
    },
  });
  const same = typed.trim() === space.title.trim();
  const actions = (
    <>
      <Button onClick={onClose}>{t("look.cancel")}</Button>
      <Button kind="danger" type="submit" form={form} disabled={!same} busy={purge.isPending}>
        {t("trash.purge")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("trash.purge.title", { title: space.title })}
      description={t("trash.purge.text")}
      actions={actions}
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (same) purge.mutate();
        }}
      >
        <Field
          label={t("trash.purge.type", { title: space.title })}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {purge.isError && <Failed failure={purge.error} />}
      </form>
    </Dialog>
  );
}
