// The settings of a space: what it is called, whether main is written directly, what a merge needs, who has access, and
// where it goes.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Download, FileDown, Trash2 } from "lucide-react";
import { useState } from "react";
import { Access } from "../access/Access";
import { api, type Schemas, taken } from "../api/client";
import { usePending } from "../api/pending";
import { organizations, spaces } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { Field } from "../look/Field";
import { Skeleton } from "../look/Skeleton";
import { SavedField } from "../options/SavedField";
import { Toggle } from "../options/Toggle";
import { DeleteDialog } from "../places/DeleteDialog";
import { EmojiField } from "../places/EmojiField";
import { Title } from "../shell/Title";
import { space as spaceQuery } from "../space/queries";
import { emojiText } from "../space/tree";
import { ImportFlow } from "../transfer/ImportFlow";
import { t } from "../words/words";
import { MergeRules } from "./MergeRules";
import styles from "./Settings.module.css";

// Languages that the server takes, by their codes (internal/content/space).
const languages =
  "ar bg cs da de el en es et fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt pt-br ro ru sk sl sv th tr uk vi yue zh".split(
    " ",
  );

export function SpaceSettings() {
  const { space = "" }: { space?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const asked = useQuery(spaceQuery(space));
  const [going, setGoing] = useState(false);
  const mutationKey = [...spaces.one(space), "settings"];
  // What is on its way shows at once.
  const shown = Object.assign({}, ...usePending(mutationKey)) as Schemas["UpdateSpaceInputBody"];
  const change = useMutation({
    mutationKey,
    // One after the other, so that the last choice stays.
    scope: { id: `settings-${space}` },
    mutationFn: (body: Schemas["UpdateSpaceInputBody"]) =>
      taken(api.PATCH("/v1/spaces/{spaceId}", { params: { path: { spaceId: space } }, body })),
    onSuccess: async (now) => {
      await Promise.all(
        [spaces.one(space), organizations.spaces(now.organization), ["spaces", space, "change-requests"]].map(
          (queryKey) => queries.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const pdf = useMutation({
    mutationFn: () => taken(api.GET("/v1/spaces/{spaceId}/pdf", { params: { path: { spaceId: space } } })),
    onSuccess: ({ url }) => window.open(url, "_blank", "noopener"),
  });
  if (asked.isError && !asked.data) return <Failed failure={asked.error} onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Skeleton lines={8} />;
  const about = asked.data;
  const { manage, admin } = about.permissions;
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language" });
  const ordered = languages
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const set = (body: Schemas["UpdateSpaceInputBody"]) => change.mutate(body);
  return (
    <div className={styles.screen}>
      <Title text={t("settings.title")} />
      <h1 className={styles.title}>{t("settings.title")}</h1>
      {!manage && <Banner>{t("settings.readOnly")}</Banner>}
      {change.isError && <Failed failure={change.error} />}
      <fieldset className={styles.fields} disabled={!manage}>
        <legend className={styles.heading}>{t("settings.general")}</legend>
        <SavedField
          label={t("home.spaceTitle")}
          value={about.title}
          maxLength={50}
          autoComplete="off"
          onSave={(title) => change.mutateAsync({ title: title.trim() })}
        />
        {manage && (
          <EmojiField
            value={about.emoji ? emojiText(about.emoji) : ""}
            onChange={(emoji) => set({ emoji: emoji || null })}
          />
        )}
        <Field
          label={t("settings.language")}
          hint={t("settings.language.hint")}
          control={
            <select
              value={(shown.language === undefined ? about.language : shown.language) ?? ""}
              onChange={(event) => set({ language: event.currentTarget.value || null })}
            >
              <option value="">{t("settings.language.none")}</option>
              {ordered.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          }
        />
        <Toggle
          label={t("settings.locked")}
          checked={(shown.editMode ?? about.editMode) === "locked"}
          onChange={(locked) => set({ editMode: locked ? "locked" : "live" })}
        />
        <p className={styles.hint}>{t("settings.locked.hint")}</p>
      </fieldset>
      <MergeRules
        space={about}
        shown={shown.mergeRules ?? about.mergeRules}
        onChange={(mergeRules) => set({ mergeRules })}
      />
      <section aria-labelledby="settings-access">
        <h2 id="settings-access" className={styles.heading}>
          {t("settings.access")}
        </h2>
        <Access place={{ kind: "space", id: space }} />
      </section>
      {about.permissions.edit && about.editMode === "live" && (
        <section aria-labelledby="settings-import">
          <h2 id="settings-import" className={styles.heading}>
            {t("settings.import")}
          </h2>
          <p className={styles.hint}>{t("settings.import.hint")}</p>
          <ImportFlow
            target={{ space, organization: about.organization }}
            after={() => (
              <Link to="/spaces/$space" params={{ space }} className={buttonClass("primary")}>
                {t("settings.import.open")}
              </Link>
            )}
          />
        </section>
      )}
      <section aria-labelledby="settings-export">
        <h2 id="settings-export" className={styles.heading}>
          {t("settings.export")}
        </h2>
        <p className={styles.hint}>{t("settings.export.hint")}</p>
        <div className={styles.line}>
          <a href={`/v1/spaces/${encodeURIComponent(space)}/content/export`} download className={buttonClass("plain")}>
            <Download aria-hidden size={16} />
            {t("settings.export.markdown")}
          </a>
          <Button icon={<FileDown aria-hidden size={16} />} busy={pdf.isPending} onClick={() => pdf.mutate()}>
            {t("settings.export.pdf")}
          </Button>
        </div>
        {pdf.isError && <Failed failure={pdf.error} />}
      </section>
      {admin && (
        <section aria-labelledby="settings-trash">
          <h2 id="settings-trash" className={styles.heading}>
            {t("settings.trash")}
          </h2>
          <p className={styles.hint}>{t("settings.trash.hint")}</p>
          <Button kind="danger" icon={<Trash2 aria-hidden size={16} />} onClick={() => setGoing(true)}>
            {t("place.delete.space")}
          </Button>
        </section>
      )}
      {going && (
        <DeleteDialog
          organization={about.organization}
          place={{ kind: "space", space: about }}
          onClose={() => setGoing(false)}
          onDone={() => void navigate({ to: "/" })}
        />
      )}
    </div>
  );
}
