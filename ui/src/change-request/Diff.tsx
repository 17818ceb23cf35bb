// The changes of a change request, page by page: the pages at the left, the diff of one at the right. Which page and
// how it shows are in the address. J and K go to the next and the previous change.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, FileDiff } from "lucide-react";
import { useEffect, useRef } from "react";
import { IconButton } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { useMedia } from "../look/useMedia";
import { Refused } from "../shell/Nothing";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import { byEntity } from "./changes";
import styles from "./Diff.module.css";
import { DiffPage, type Mode } from "./DiffPage";
import { changeRequest, changesOf, pageChanges } from "./queries";
import { onKey, step } from "./stops";

export function Diff() {
  const { space = "", number: text = "" }: { space?: string; number?: string } = useParams({ strict: false });
  const search: { page?: string; mode?: string } = useSearch({ strict: false });
  const number = Number(text);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wide = useMedia("(min-width: 75rem)");
  const request = useQuery(changeRequest(space, number));
  const list = useQuery(changesOf(space, number));
  const pages = byEntity(list.data?.changes ?? []).filter((each) => each.page);
  const page = pages.find((each) => each.id === search.page) ?? pages[0];
  const mode: Mode = search.mode === "markdown" ? "markdown" : search.mode === "split" && wide ? "split" : "unified";
  const diff = useQuery({ ...pageChanges(space, request.data ?? ({ number } as never), page?.id ?? ""), enabled: request.data !== undefined && page !== undefined });
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => onKey(() => shown.current), []);
  const show = (change: { page?: string; mode?: Mode }) => {
    const next = { ...search, ...change };
    void navigate({ to: "/spaces/$space/changes/$number/diff", params: { space, number: text }, search: next as never, replace: change.mode !== undefined });
  };
  if (request.isError && !request.data) return <Refused failure={request.error} onRetry={() => void request.refetch()} />;
  if (list.data && pages.length === 0) {
    return (
      <EmptyState icon={<FileDiff />} title={t("diff.same")} level={1}>
        {t("change.nothingText")}
      </EmptyState>
    );
  }
  const modes: Mode[] = wide ? ["unified", "split", "markdown"] : ["unified", "markdown"];
  return (
    <div className={styles.screen}>
      <Title text={t("diff.title")} />
      <nav className={styles.pages} aria-label={t("diff.pages")}>
        {list.isPending && <Skeleton shape="rows" lines={4} />}
        {list.isError && <Failed failure={list.error} onRetry={() => void list.refetch()} />}
        <ul hidden={pages.length === 0}>
          {pages.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className={styles.page}
                aria-current={each.id === page?.id ? "true" : undefined}
                onClick={() => show({ page: each.id })}
                onPointerEnter={() => request.data && void queries.prefetchQuery(pageChanges(space, request.data, each.id))}
              >
                <span className={styles.sign} data-kind={each.kind} aria-hidden>
                  {{ added: "+", deleted: "−", moved: "↕", renamed: "~", edited: "~" }[each.kind]}
                </span>
                <span className={styles.name}>{each.title || t("tree.untitled")}</span>
                <span className="visually-hidden">{t(`change.kind.${each.kind}`)}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section className={styles.diff} aria-labelledby="diff-title">
        <header className={styles.head}>
          <h1 id="diff-title" className={styles.title}>
            {page?.title ?? ""}
          </h1>
          <Link to="/spaces/$space/changes/$number" params={{ space, number: text }} className={styles.back}>
            #{number} {request.data?.subject}
          </Link>
          <span className={styles.modes} role="group" aria-label={t("diff.mode")}>
            {modes.map((each) => (
              <button key={each} type="button" className={styles.mode} aria-pressed={each === mode} onClick={() => show({ mode: each })}>
                {t(`diff.mode.${each}`)}
              </button>
            ))}
          </span>
          <IconButton label={t("diff.previous")} keys="K" onClick={() => step(shown.current, -1)}>
            <ChevronUp />
          </IconButton>
          <IconButton label={t("diff.next")} keys="J" onClick={() => step(shown.current, 1)}>
            <ChevronDown />
          </IconButton>
        </header>
        <div ref={shown}>
          {(diff.isPending || list.isPending) && <Skeleton lines={8} />}
          {diff.isError && <Failed failure={diff.error} onRetry={() => void diff.refetch()} />}
          {diff.data && <DiffPage key={page?.id} diff={diff.data} mode={mode} />}
        </div>
      </section>
    </div>
  );
}
