// What stands at the side of a space: its name, its parts, the filter, and the pages.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";
import { FilePlus, Search, TextSearch, X } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { me } from "../change-request/draft";
import { changesOf } from "../change-request/queries";
import { presence } from "../live/presence";
import { Button, IconButton } from "../look/Button";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { keysOf } from "../look/shortcuts";
import { useShortcut } from "../shell/useShortcut";
import { t } from "../words/words";
import { NewEntry } from "./NewEntry";
import { PageTree, type TreeHandle } from "./PageTree";
import { Sections } from "./Sections";
import { type Page, pages as pagesQuery, space as spaceQuery } from "./queries";
import styles from "./SpaceSide.module.css";
import { emojiText, matching } from "./tree";
import { useArrange } from "./useArrange";
import { useNewPage } from "./useNewPage";

type Props = {
  space: string;
  change: number | undefined;
  page: string | undefined;
  onLeave: () => void;
  onSearch: () => void;
};

export function SpaceSide({ space, change, page, onLeave, onSearch }: Props) {
  const about = useQuery(spaceQuery(space)).data;
  const asked = useQuery(pagesQuery(space, change));
  // Pages that the change request changes have a dot.
  const changes = useQuery({ ...changesOf(space, change ?? 0), enabled: change !== undefined }).data;
  const changed = useMemo(() => new Set((changes?.changes ?? []).flatMap((each) => each.page?.id ?? [])), [changes]);
  // Others who write its pages stand beside them.
  const self = useQuery(me).data?.id;
  const present = useQuery({
    ...presence(space, change ?? 0),
    enabled: change !== undefined && about?.permissions.edit === true,
  }).data;
  const people = useMemo(
    () => present && new Map([...present].map(([id, users]) => [id, users.filter((each) => each.id !== self)])),
    [present, self],
  );
  const [filter, setFilter] = useState("");
  const wanted = useDeferredValue(filter.trim());
  const tree = useRef<TreeHandle>(null);
  const navigate = useNavigate();
  const router = useRouter();
  const newPage = useNewPage(space, change);
  const arrange = useArrange(space, change, page);
  // Who saw main, or a page that has gone to another space, is led into the draft.
  const onGone = (number: number, gone: string[]) => {
    const params = { space, number: String(number) };
    if (page === undefined || gone.includes(page)) void navigate({ to: "/spaces/$space/changes/$number", params });
    else if (change === undefined)
      void navigate({ to: "/spaces/$space/changes/$number/pages/$page", params: { ...params, page } });
  };
  const editing =
    about?.permissions.edit && asked.data
      ? {
          space,
          change,
          roots: asked.data,
          arrange,
          onInside: (above: Page) => newPage.mutate(above.id, { onSuccess: onLeave }),
          onGone,
        }
      : undefined;

  const shown = asked.data && wanted ? matching(asked.data, wanted) : asked.data;
  const to = (target: Page) =>
    change === undefined
      ? ({ to: "/spaces/$space/pages/$page", params: { space, page: target.id } } as const)
      : ({
          to: "/spaces/$space/changes/$number/pages/$page",
          params: { space, number: String(change), page: target.id },
        } as const);
  const open = (target: Page) => {
    onLeave();
    void navigate(to(target));
  };
  const field = useRef<HTMLInputElement>(null);
  useShortcut("newPage", about?.permissions.edit ? () => newPage.mutate(undefined, { onSuccess: onLeave }) : undefined);
  useShortcut("search", () => field.current?.focus());
  const onFilterKey = (event: React.KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      tree.current?.focus();
    } else if (event.key === "Escape" && filter) {
      event.stopPropagation();
      setFilter("");
    }
  };

  return (
    <>
      <div className={styles.head}>
        <Link to="/spaces/$space" params={{ space }} className={styles.name} onClick={onLeave}>
          {about?.emoji && <span aria-hidden>{emojiText(about.emoji)}</span>}
          <span className={styles.title}>{about?.title ?? " "}</span>
        </Link>
        {about?.permissions.edit && <NewEntry space={space} change={change} page={page} />}
        {about?.permissions.edit && (
          <IconButton
            label={t("space.newPage")}
            keys={keysOf("newPage")}
            disabled={newPage.isPending}
            onClick={() => newPage.mutate(undefined, { onSuccess: onLeave })}
          >
            <FilePlus />
          </IconButton>
        )}
      </div>
      <Sections space={space} change={change} onLeave={onLeave} />
      <button
        type="button"
        className={styles.part}
        onClick={() => {
          onLeave();
          onSearch();
        }}
      >
        <TextSearch aria-hidden />
        {t("search.title")}
      </button>
      <div className={styles.filter}>
        <Search aria-hidden />
        <input
          ref={field}
          type="text"
          role="searchbox"
          aria-label={t("tree.filter")}
          placeholder={t("tree.filter")}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={onFilterKey}
          spellCheck={false}
          autoComplete="off"
        />
        {filter && (
          <IconButton label={t("tree.clear")} className={styles.clear} onClick={() => setFilter("")}>
            <X />
          </IconButton>
        )}
      </div>
      {newPage.isError && (
        <div className={styles.note}>
          <Failed failure={newPage.error} onRetry={() => newPage.mutate(newPage.variables)} />
        </div>
      )}
      {arrange.isError && (
        <div className={styles.note}>
          <Failed failure={arrange.error} />
        </div>
      )}
      {asked.isPending && (
        <div className={styles.wait}>
          <Skeleton shape="rows" lines={10} />
        </div>
      )}
      {asked.isError && !asked.data && (
        <div className={styles.note}>
          <Failed failure={asked.error} onRetry={() => void asked.refetch()} />
        </div>
      )}
      {shown && (
        <PageTree
          ref={tree}
          space={space}
          pages={shown}
          current={page}
          unfolded={wanted !== ""}
          changed={changed}
          people={people}
          href={(target) => router.buildLocation(to(target)).href}
          onOpen={open}
          editing={editing}
          empty={
            <div className={styles.note}>
              <p className={styles.nothing}>{wanted ? t("tree.none", { filter: wanted }) : t("tree.empty")}</p>
              {!wanted && about?.permissions.edit && (
                <Button
                  icon={<FilePlus />}
                  busy={newPage.isPending}
                  onClick={() => newPage.mutate(undefined, { onSuccess: onLeave })}
                >
                  {t("space.newPage")}
                </Button>
              )}
            </div>
          }
        />
      )}
    </>
  );
}
