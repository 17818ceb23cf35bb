// A page while its Markdown is written, front matter, title and all.
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { Skeleton } from "../look/Skeleton";
import type { ViewState } from "../code/viewState";
import type { Handle } from "../source/Source";
import { GivePageText, type PageText } from "../space/PageText";
import { t } from "../words/words";
import { Around } from "./Around";
import { source } from "./forms";
import { Saving } from "./saving";
import { readMarkdown, sourceServer, type Begun, type Place, writable } from "./server";
import { useKept } from "./useKept";
import { useMay } from "./useMay";
import { useSaving } from "./useSaving";
import { useWatching } from "./useWatching";

const Source = lazy(() => import("../source/Source").then(({ Source }) => ({ default: Source })));

type Props = {
  place: Place;
  begun: Extract<Begun, { mode: "source" }>;
  viewState: ViewState | null;
  onSwitch: (viewState: ViewState | null) => void;
};

export function WritingSource({ place, begun, viewState, onSwitch }: Props) {
  const queries = useQueryClient();
  const { loaded, drafts, user, read } = begun;
  const open = writable(loaded.status) && begun.may;
  const left = open ? begun.left : null;
  const first = left ?? loaded;
  const editor = useRef<Handle>(null);
  const [text, setText] = useState<PageText | null>(null);
  // What is typed now, for a saving that lives as long as the screen.
  const write = useRef(() => first.markdown);
  const { saving, state } = useSaving(
    place,
    () =>
      new Saving({
        form: source,
        server: sourceServer(queries, place, user, loaded.markdown),
        drafts,
        loaded,
        left,
        current: () => ({ markdown: write.current() }),
        received: ({ markdown }) => {
          editor.current?.receive(markdown);
          write.current = () => editor.current?.write() ?? markdown;
        },
        replaced: ({ markdown }) => {
          editor.current?.replace(markdown);
          write.current = () => editor.current?.write() ?? markdown;
        },
      }),
  );
  const live = useWatching(place, open, saving);
  const may = useMay(place, begun);
  const editable = open && may && !live?.ended;
  return (
    <Around
      place={place}
      mode="source"
      saving={saving}
      state={state}
      status={loaded.status}
      may={may}
      kept={useKept(begun, left, ({ markdown }) => markdown)}
      plain={() => write.current()}
      target={() => editor.current?.target() ?? null}
      {...(live && { live })}
      onSwitch={() => onSwitch(editor.current?.viewState() ?? null)}
    >
      <GivePageText text={text} />
      <Suspense fallback={<Skeleton lines={8} />}>
        <Source
          ref={editor}
          markdown={first.markdown}
          editable={editable}
          label={t("source.label")}
          read={read}
          check={(now) => readMarkdown(place.space, now)}
          viewState={viewState}
          onText={setText}
          onChange={(now) => {
            write.current = now;
            saving.changed();
          }}
        />
      </Suspense>
    </Around>
  );
}
