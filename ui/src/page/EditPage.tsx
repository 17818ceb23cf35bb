// Writing a page of a change request, or of main for those who may: its title and its body, nothing else. What is typed
// is saved by itself.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { main } from "../api/client";
import type { ViewState } from "../code/viewState";
import { Banner } from "../look/Banner";
import { directionOf } from "../look/direction";
import { Failed } from "../look/Failed";
import { Skeleton } from "../look/Skeleton";
import { space as spaceQuery } from "../space/queries";
import { Title } from "../shell/Title";
import { t } from "../words/words";
import styles from "./EditPage.module.css";
import type { Mode } from "./mode";
import { begun, type Place } from "./server";
import { Writing } from "./Writing";
import { WritingSource } from "./WritingSource";

export function EditPage() {
  const {
    space = "",
    number,
    page = "",
  }: { space?: string; number?: string; page?: string } = useParams({ strict: false });
  const { mode }: { mode?: "source" } = useSearch({ strict: false });
  const navigate = useNavigate();
  // Where one was in the other form.
  const viewState = useRef<{ of: string; viewState: ViewState } | null>(null);
  const of = `${space} ${number ?? main} ${page}`;
  const begin = (next: Mode, from: ViewState | null, replace = false) => {
    viewState.current = from && { of, viewState: from };
    void navigate({
      to: number === undefined ? "/spaces/$space/pages/$page/edit" : "/spaces/$space/changes/$number/pages/$page",
      params: { space, page, ...(number === undefined ? {} : { number }) } as never,
      search: ({ mode: _, ...rest }: { mode?: "source" }) => (next === "source" ? { ...rest, mode: next } : rest),
      replace,
      resetScroll: false,
    });
  };
  const wanted = mode ?? "rich";
  // A page is left with all that belongs to it.
  return (
    <Begin
      key={`${of} ${wanted}`}
      place={{ space, change: number === undefined ? undefined : Number(number), page }}
      wanted={wanted}
      viewState={viewState.current?.of === of ? viewState.current.viewState : null}
      onMode={begin}
    />
  );
}

type Props = {
  place: Place;
  wanted: Mode;
  viewState: ViewState | null;
  onMode: (mode: Mode, viewState: ViewState | null, replace?: boolean) => void;
};

function Begin({ place, wanted, viewState, onMode }: Props) {
  const queries = useQueryClient();
  const asked = useQuery(begun(queries, place, wanted));
  const { data } = asked;
  const found = data?.mode ?? wanted;
  const language = useQuery(spaceQuery(place.space)).data?.language;
  const title =
    data && (data.mode === "rich" ? data.loaded.title : (/^# (.*)$/m.exec(data.loaded.markdown)?.[1] ?? ""));
  // What was typed before decides the form, and the address says it.
  useEffect(() => {
    if (found !== wanted) onMode(found, null, true);
  }, [found, wanted, onMode]);
  return (
    <article className={styles.column} dir={directionOf(language, title)} lang={language}>
      {asked.isError && !data && <Failed failure={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton lines={8} />}
      {data && found === wanted && (
        <>
          <Title text={title ?? ""} />
          {data.loaded.type !== "document" ? (
            <Banner>{t("edit.notDocument")}</Banner>
          ) : data.mode === "rich" ? (
            <Writing
              key={String(data.may)}
              place={place}
              begun={data}
              viewState={viewState}
              onSwitch={(from) => onMode("source", from)}
            />
          ) : (
            <WritingSource
              key={String(data.may)}
              place={place}
              begun={data}
              viewState={viewState}
              onSwitch={(from) => onMode("rich", from)}
            />
          )}
        </>
      )}
    </article>
  );
}
