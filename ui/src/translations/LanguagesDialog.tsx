// What a space is written in and which languages it is translated to. Each language gets a space of its own, which
// follows.
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, taken } from "../api/client";
import { Button } from "../look/Button";
import { ChooseMany, type Option } from "../look/ChooseMany";
import { Dialog } from "../look/Dialog";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import type { Space } from "../space/queries";
import { t } from "../words/words";
import { nameOf, ordered } from "./names";
import { one, root, type Translation } from "./queries";
import styles from "./Translations.module.css";

type Props = {
  organization: string;
  space: Space;
  translation: Translation | undefined;
  onSaved: () => void;
  onClose: () => void;
};

export function LanguagesDialog({ organization, space, translation, onSaved, onClose }: Props) {
  const form = useId();
  const [source, setSource] = useState(translation?.source?.language ?? space.language ?? "en");
  const [chosen, choose] = useState<Option[]>(
    (translation?.languages ?? []).map((code) => ({ id: code, label: nameOf(code) })),
  );
  const [onSites, setOnSites] = useState(translation?.onSites ?? true);
  const save = useMutation({
    mutationFn: () => {
      const languages = chosen.map(({ id }) => id);
      if (translation)
        return taken(
          api.PUT(one, {
            params: { path: { organizationId: organization, translationSettingsId: translation.id } },
            body: { languages, onSites },
          }),
        );
      return taken(
        api.POST(root, {
          params: { path: { organizationId: organization } },
          body: {
            title: space.title.slice(0, 100) || "Translation",
            source: { space: space.id, language: source },
            languages,
            onSites,
          },
        }),
      );
    },
    onSuccess: onSaved,
  });
  const gone = (translation?.languages ?? []).filter((code) => !chosen.some(({ id }) => id === code));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(translation ? "translations.languages" : "translations.begin")}
      description={t("translations.begin.text")}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" type="submit" form={form} busy={save.isPending} disabled={chosen.length === 0}>
            {t(translation ? "place.save" : "translations.begin.do")}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {!translation && (
          <Field
            label={t("translations.from")}
            value={source}
            onChange={(event) => setSource(event.target.value)}
            control={
              <select>
                {ordered().map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            }
          />
        )}
        <div className={styles.form}>
          <span className={styles.label}>{t("translations.to")}</span>
          <ChooseMany
            label={t("translations.to.choose")}
            none={t("translations.to.none")}
            options={ordered()
              .filter(({ code }) => code !== source)
              .map(({ code, name }) => ({ id: code, label: name }))}
            chosen={chosen}
            onChange={choose}
          />
        </div>
        <label className={styles.choice}>
          <input type="checkbox" checked={onSites} onChange={(event) => setOnSites(event.target.checked)} />
          {t("translations.onSites")}
        </label>
        {gone.length > 0 && (
          <p className={styles.note}>{t("translations.gone", { languages: gone.map(nameOf).join(", ") })}</p>
        )}
        {save.isError && <Failed failure={save.error} />}
      </form>
    </Dialog>
  );
}
