// Terms that are translated in one way, or not at all.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Button } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { t } from "../words/words";
import { termsOf, textOf } from "./glossary.terms";
import { one, type Translation } from "./queries";
import styles from "./Translations.module.css";

export function Glossary({
  organization,
  translation,
  may,
}: {
  organization: string;
  translation: Translation;
  may: boolean;
}) {
  const queries = useQueryClient();
  const known = textOf(translation.glossary ?? []);
  const [typed, setTyped] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (text: string) =>
      taken(
        api.PUT(one, {
          params: { path: { organizationId: organization, translationSettingsId: translation.id } },
          body: { glossary: termsOf(text) },
        }),
      ),
    onSuccess: async (_, text) => {
      await queries.invalidateQueries({ queryKey: organizations.translations(organization) });
      // What was typed meanwhile is another text.
      setTyped((now) => (now === text ? null : now));
    },
  });
  return (
    <form
      className={`${styles.part} ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(typed ?? known);
      }}
    >
      <h2 className={styles.heading}>{t("translations.glossary")}</h2>
      <Field
        label={t("translations.glossary.terms")}
        hint={t("translations.glossary.hint")}
        value={typed ?? known}
        disabled={!may}
        placeholder={"space: de=Bereich\nRecto"}
        onChange={(event) => setTyped(event.target.value)}
        control={<textarea rows={4} className={styles.text} />}
      />
      {save.isError && <Failed failure={save.error} />}
      {typed !== null && typed !== known && (
        <Button type="submit" kind="primary" busy={save.isPending} className={styles.start!}>
          {t("translations.glossary.save")}
        </Button>
      )}
    </form>
  );
}
