// The languages of a space: how far each is, and how to begin.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Languages } from "lucide-react";
import { useState } from "react";
import { api, done, taken } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { AskDialog } from "../look/AskDialog";
import { t } from "../words/words";
import { Glossary } from "./Glossary";
import { LanguagesDialog } from "./LanguagesDialog";
import { nameOf } from "./names";
import { Progress } from "./Progress";
import { type Language, one } from "./queries";
import styles from "./Translations.module.css";
import { usePlace } from "./usePlace";

export function Translations() {
  const { space = "" }: { space?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const { organization, about, known, failure, again, place, languages } = usePlace(space);
  const [shown, show] = useState<"languages" | "end" | null>(null);
  const end = useMutation({
    mutationFn: (id: string) =>
      done(api.DELETE(one, { params: { path: { organizationId: organization, translationSettingsId: id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.translations(organization) }),
  });
  // Saving the settings again has the variants follow in the name of who does so.
  const renew = useMutation({
    mutationFn: (id: string) =>
      taken(api.PUT(one, { params: { path: { organizationId: organization, translationSettingsId: id } }, body: {} })),
    onSuccess: () => queries.invalidateQueries({ queryKey: organizations.translations(organization) }),
  });
  if (failure && !known) return <Refused what="div" failure={failure} onRetry={again} />;
  if (!known || !about) return <div className={styles.screen}><Skeleton lines={6} /></div>;
  const translation = place?.translation;
  const list = translation ? (languages.get(translation.id) ?? []) : [];
  const may = translation ? translation.permissions.edit : about.permissions.manage;
  return (
    <div className={styles.screen}>
      <Title text={t("translations.title")} />
      <div className={styles.head}>
        <h1 className={styles.title}>{t("translations.title")}</h1>
        {translation && may && !place.language && (
          <Button onClick={() => show("languages")}>{t("translations.languages")}</Button>
        )}
      </div>
      {!translation && (
        <EmptyState
          icon={<Languages />}
          title={t("translations.none")}
          action={
            may && (
              <Button kind="primary" onClick={() => show("languages")}>
                {t("translations.begin")}
              </Button>
            )
          }
        >
          {t("translations.what")}
        </EmptyState>
      )}
      {place?.language && translation?.source && (
        <Banner>
          {t("translations.variant", { language: nameOf(place.language) })}{" "}
          <Link to="/spaces/$space/translations" params={{ space: translation.source.space }}>
            {t("translations.toSource")}
          </Link>
        </Banner>
      )}
      {translation && (
        <>
          {(end.error ?? renew.error) && <Failed failure={end.error ?? renew.error} />}
          {translation.source && (
            <p className={styles.note}>{t("translations.source", { language: nameOf(translation.source.language) })}</p>
          )}
          <ul className={styles.rows}>
            {list.map((each) => (
              <li
                key={each.language}
                className={styles.language}
                aria-current={each.language === place?.language || undefined}
              >
                <Link
                  to="/spaces/$space/translations/$language"
                  params={{ space, language: each.language }}
                  className={styles.name}
                >
                  {nameOf(each.language)}
                </Link>
                <Progress counts={each.counts} />
                <span className={styles.note}>{stateOf(each)}</span>
              </li>
            ))}
          </ul>
          {may && list.some(({ status }) => status === "failed") && (
            <Banner
              kind="warning"
              actions={
                <Button busy={renew.isPending} onClick={() => renew.mutate(translation.id)}>
                  {t("translations.renew")}
                </Button>
              }
            >
              {t("translations.failed.text")}
            </Banner>
          )}
          {!place?.language && <Glossary organization={organization} translation={translation} may={may} />}
          {may && !place?.language && (
            <section className={styles.part}>
              <Button kind="danger" busy={end.isPending} onClick={() => show("end")}>
                {t("translations.end")}
              </Button>
            </section>
          )}
        </>
      )}
      {shown === "languages" && (
        <LanguagesDialog
          organization={organization}
          space={about}
          translation={translation}
          onClose={() => show(null)}
          onSaved={() => {
            show(null);
            void queries.invalidateQueries({ queryKey: organizations.translations(organization) });
            void queries.invalidateQueries({ queryKey: organizations.spaces(organization) });
            void queries.invalidateQueries({ queryKey: spaces.one(space) });
          }}
        />
      )}
      {shown === "end" && translation && (
        <AskDialog
          title={t("translations.end.title")}
          text={t("translations.end.text")}
          action={t("translations.end")}
          onClose={() => show(null)}
          onYes={() => {
            show(null);
            end.mutate(translation.id);
          }}
        />
      )}
    </div>
  );
}

function stateOf({ status, error, machine, counts }: Language): string {
  if (status === "failed") return t("translations.failed", { reason: error ?? "" });
  if (status !== "completed") return t("translations.follows");
  if (machine.status === "pending" || machine.status === "running")
    return t("translations.machine.works", { done: machine.done, total: machine.total });
  if (counts.missing + counts.stale === 0) return t("translations.whole");
  return t("translations.waits", { missing: counts.missing, stale: counts.stale });
}
