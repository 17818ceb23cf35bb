import { SavedField } from "../../options/SavedField";
import { Toggle } from "../../options/Toggle";
import { t } from "../../words/words";
import { ownable } from "./change";
import { ListField } from "./controls";
import styles from "./Look.module.css";
import type { Look } from "./useLook";

// Languages of a site's own words, each by its own name.
const locales = ["en", "de", "es", "fr", "ja", "nl", "no", "pt-br", "ru", "zh", "ar", "fa", "he"];

// PagesPart is what pages offer their readers.
export function PagesPart({ value, set, setNow, within }: Look) {
  const own = (name: string) => !within || ownable(name);
  const named = (locale: string) => new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
  return (
    <>
      <Toggle
        label={t("siteLook.pages.feedback")}
        checked={value.feedback.enabled}
        onChange={(enabled) => set({ feedback: { enabled } })}
      />
      <Toggle
        label={t("siteLook.pages.pagination")}
        checked={value.pagination.enabled}
        onChange={(enabled) => set({ pagination: { enabled } })}
      />
      <Toggle
        label={t("siteLook.pages.blank")}
        checked={value.externalLinks.target === "blank"}
        onChange={(on) => set({ externalLinks: { target: on ? "blank" : "self" } })}
      />
      {own("pageActions.markdown") && (
        <>
          <Toggle
            label={t("siteLook.pages.markdown")}
            checked={value.pageActions.markdown}
            onChange={(markdown) => set({ pageActions: { markdown } })}
          />
          <Toggle
            label={t("siteLook.pages.ai")}
            checked={value.pageActions.externalAI}
            onChange={(externalAI) => set({ pageActions: { externalAI } })}
          />
          <Toggle
            label={t("siteLook.pages.pdf")}
            checked={value.pdf.enabled}
            onChange={(enabled) => set({ pdf: { enabled } })}
          />
          <Toggle
            label={t("siteLook.pages.git")}
            checked={value.git.showEditLink}
            onChange={(showEditLink) => set({ git: { showEditLink } })}
          />
        </>
      )}
      <Toggle
        label={t("siteLook.pages.trademark")}
        checked={value.trademark.enabled}
        onChange={(enabled) => set({ trademark: { enabled } })}
      />
      <ListField
        label={t("siteLook.pages.language")}
        values={locales}
        value={value.internationalization.locale}
        named={named}
        onChange={(locale) => set({ internationalization: { locale } })}
      />
      <p className={styles.note}>{t("siteLook.pages.language.hint")}</p>
      {!within && (
        <SavedField
          label={t("siteLook.pages.synonyms")}
          hint={t("siteLook.pages.synonyms.hint")}
          control={<textarea rows={4} />}
          value={(value.synonyms ?? []).join("\n")}
          maxLength={20_000}
          autoComplete="off"
          onSave={(text) =>
            setNow({
              synonyms: text
                .split("\n")
                .map((line) => line.trim())
                .filter((line) => line !== ""),
            })
          }
        />
      )}
      <SavedField
        type="url"
        label={t("siteLook.pages.preview")}
        hint={t("siteLook.pages.preview.hint")}
        placeholder="https://example.com/preview.png"
        value={value.socialPreview.url ?? ""}
        maxLength={2048}
        autoComplete="off"
        onSave={(url) => setNow({ socialPreview: { url: url.trim() || null } })}
      />
    </>
  );
}
