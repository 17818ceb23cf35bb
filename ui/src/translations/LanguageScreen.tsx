// One language of a space: how far its pages are, and what brings it further: writing, files for translators, a
// machine.
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { api, Failure, taken } from "../api/client";
import { organizations } from "../api/queries";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Failed } from "../look/Failed";
import { MoreButton } from "../look/MoreButton";
import { Skeleton } from "../look/Skeleton";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { Exchange } from "./Exchange";
import { Machine } from "./Machine";
import { nameOf } from "./names";
import { Progress } from "./Progress";
import { ofLanguage, pagesOf } from "./queries";
import { Segments } from "./Segments";
import styles from "./Translations.module.css";
import { usePlace } from "./usePlace";

export function LanguageScreen() {
  const { space = "", language = "" }: { space?: string; language?: string } = useParams({ strict: false });
  const queries = useQueryClient();
  const { organization, known, failure, again, place, languages } = usePlace(space);
  const translation = place?.translation;
  const shown = translation && languages.get(translation.id)?.find((each) => each.language === language);
  const pages = useInfiniteQuery({
    ...pagesOf(organization, translation?.id ?? "", language),
    enabled: shown !== undefined,
  });
  const [open, setOpen] = useState("");
  const path = { organizationId: organization, translationSettingsId: translation?.id ?? "", language };
  const refresh = () => queries.invalidateQueries({ queryKey: organizations.translations(organization) });
  const follow = useMutation({
    mutationFn: () => taken(api.POST(`${ofLanguage}/follow`, { params: { path } })),
    onSuccess: refresh,
  });
  if (failure && !known) return <Refused what="div" failure={failure} onRetry={again} />;
  if (!known)
    return (
      <div className={styles.screen}>
        <Skeleton lines={6} />
      </div>
    );
  if (!translation || !shown)
    return <Refused what="div" failure={new Failure(404, t("translations.unknown"))} onRetry={again} />;
  const may = translation.permissions.edit;
  const list = pages.data?.pages.flatMap(({ items }) => items ?? []) ?? [];
  const name = nameOf(language);
  return (
    <div className={styles.screen}>
      <Title text={name} />
      <nav aria-label={t("space.path")} className={styles.path}>
        <Link to="/spaces/$space/translations" params={{ space }}>
          {t("translations.title")}
        </Link>
        <ChevronRight aria-hidden />
        <span aria-current="page">{name}</span>
      </nav>
      <div className={styles.head}>
        <h1 className={styles.title}>{name}</h1>
        <span className={styles.line}>
          {shown.changeRequest && (
            <Link
              to="/spaces/$space/changes/$number"
              params={{ space: shown.space, number: shown.changeRequest }}
              className={buttonClass("primary")}
            >
              {t("translations.review")}
            </Link>
          )}
          <Link to="/spaces/$space" params={{ space: shown.space }} className={buttonClass("plain")}>
            {t("translations.toSpace")}
          </Link>
        </span>
      </div>
      <p className={styles.line}>
        <Progress counts={shown.counts} />
        <span className={styles.note}>
          {t("translations.counts", {
            translated: shown.counts.translated,
            stale: shown.counts.stale,
            missing: shown.counts.missing,
            machine: shown.counts.machine,
          })}
        </span>
      </p>
      {(shown.status === "pending" || shown.status === "running") && (
        <p className={styles.note} role="status">
          {t("translations.follows")}
        </p>
      )}
      {shown.status === "failed" && (
        <Banner
          kind="warning"
          actions={
            may && (
              <Button busy={follow.isPending} onClick={() => follow.mutate()}>
                {t("failure.retry")}
              </Button>
            )
          }
        >
          {t("translations.failed", { reason: shown.error ?? "" })}
        </Banner>
      )}
      {follow.isError && <Failed failure={follow.error} />}
      {may && <Machine path={path} language={shown} onChange={() => void refresh()} />}
      <Exchange path={path} may={may} onChange={() => void refresh()} />
      <section className={styles.part} aria-labelledby="translation-pages">
        <h2 id="translation-pages" className={styles.heading}>
          {t("translations.pages")}
        </h2>
        {pages.isError && !pages.data && <Failed failure={pages.error} onRetry={() => void pages.refetch()} />}
        {pages.isPending && <Skeleton shape="rows" lines={5} />}
        {list.length > 0 && (
          <ul className={styles.rows}>
            {list.map((page) => (
              <li key={page.page}>
                <div className={styles.page}>
                  <button
                    type="button"
                    className={styles.name}
                    aria-expanded={open === page.page}
                    disabled={page.missing + page.stale === 0}
                    onClick={() => setOpen(open === page.page ? "" : page.page)}
                  >
                    {page.title || t("tree.untitled")}
                  </button>
                  <Progress counts={page} />
                  <span className={styles.note} data-state={page.missing + page.stale === 0 ? "whole" : "waits"}>
                    {page.missing + page.stale === 0
                      ? t("translations.whole")
                      : t("translations.waits", { missing: page.missing, stale: page.stale })}
                  </span>
                </div>
                {open === page.page && (
                  <Segments path={path} page={page.page} may={may} onChange={() => void refresh()} />
                )}
              </li>
            ))}
          </ul>
        )}
        <MoreButton list={pages} />
      </section>
    </div>
  );
}
