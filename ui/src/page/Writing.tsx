// The title and the body of a page while they are written, and what becomes of what is typed.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { Failure } from "../api/client";
import { changeRequests } from "../api/queries";
import type { ViewState } from "../code/viewState";
import { BlockButton } from "../comments/BlockButton";
import { GiveSurface } from "../comments/Commenting";
import { SelectionButton } from "../comments/SelectionButton";
import type { EditedText, Handle, Places } from "../editor/Editor";
import { plainText } from "../editor/document";
import { waysTo } from "../live/connection";
import { presence } from "../live/presence";
import { uuid } from "../live/uuid";
import { metFailure } from "../shell/connection";
import { GivePageText } from "../space/PageText";
import { pages, space as spaceQuery } from "../space/queries";
import { t } from "../words/words";
import { Around } from "./Around";
import { Early } from "./Early";
import { PageHead } from "./PageHead";
import styles from "./EditPage.module.css";
import { richServer, type Begun, type Place, writable } from "./server";
import { servicesOf } from "./services";
import { Together } from "./together";
import { useDiscussed } from "./useDiscussed";
import { useKept } from "./useKept";
import { useMay } from "./useMay";
import { useSaving } from "./useSaving";

const Editor = lazy(async () => {
  const [{ Editor }, { liveEditor }] = await Promise.all([import("../editor/Editor"), import("./LiveEditor")]);
  return { default: liveEditor(Editor) };
});

type Props = {
  place: Place;
  begun: Extract<Begun, { mode: "rich" }>;
  viewState: ViewState | null;
  onSwitch: (viewState: ViewState | null) => void;
};

export function Writing({ place, begun, viewState, onSwitch }: Props) {
  const queries = useQueryClient();
  const { loaded, drafts, user } = begun;
  const open = writable(loaded.status) && begun.may;
  // What was typed before and cannot be saved any more is offered to copy, see Around.
  const left = open ? begun.left : null;
  const first = left ?? loaded;
  // The title of a draft is one that was typed, unless its text alone waits.
  const begins = left?.live && left.live.titled === null ? loaded.title : first.title;
  const [title, setTitle] = useState(begins);
  const [text, setText] = useState<EditedText | null>(null);
  const [places, setPlaces] = useState<Places | null>(null);
  const editor = useRef<Handle>(null);
  const name = useRef<HTMLTextAreaElement>(null);
  const waiting = useRef<HTMLTextAreaElement>(null);
  // What was typed for the text while its editor was on its way, null when nobody was there.
  const early = useRef<string | null>(null);
  // What is typed now, for a saving that lives as long as the screen.
  const typed = useRef({ title: begins, write: () => first.document });
  const [services] = useState(() => servicesOf(queries, place));
  const { saving, state } = useSaving(
    place,
    () =>
      new Together({
        client: uuid(),
        ways: waysTo(`/v1/spaces/${place.space}/change-requests/${place.change}/content/page/${place.page}/live`),
        server: richServer(queries, place, user, loaded.unnamed),
        drafts,
        loaded,
        left,
        open,
        // Main is written alone.
        may: place.change !== undefined,
        current: () => ({ title: typed.current.title, document: typed.current.write() }),
        show,
        receive: (document) => {
          editor.current?.receive(document);
          typed.current.write = () => editor.current?.write() ?? document;
        },
        replace: (document) => {
          editor.current?.replace(document);
          typed.current.write = () => editor.current?.write() ?? document;
        },
        revised: () =>
          void queries.invalidateQueries({ queryKey: changeRequests.changes(place.space, place.change ?? 0) }),
        paged: () => void queries.invalidateQueries({ queryKey: pages(place.space, place.change).queryKey }),
        signedOut: () => metFailure(new Failure(401, ""), false),
        refused: () => void queries.invalidateQueries({ queryKey: spaceQuery(place.space).queryKey, exact: true }),
      }),
  );
  const live = useSyncExternalStore(saving.subscribe, saving.together);

  // A page that was just made is called something first.
  const router = useRouter();
  useEffect(() => {
    if (!router.state.location.state.made || name.current?.value !== t("tree.untitled")) return;
    name.current.focus();
    name.current.select();
  }, [router]);

  // Who has come or gone here shows in the tree.
  useEffect(() => {
    if (place.change !== undefined)
      void queries.invalidateQueries({ queryKey: presence(place.space, place.change).queryKey });
  }, [queries, place.space, place.change, live.people]);
  const may = useMay(place, begun);
  const editable = open && may && !live.ended;

  function show(text: string) {
    typed.current.title = text;
    setTitle(text);
  }
  const rename = (text: string) => {
    // A title is one line.
    show(text.replaceAll("\n", " "));
    saving.changed();
  };

  // The editor that has come takes over.
  useLayoutEffect(() => {
    if (!text || early.current === null) return;
    editor.current?.focus(early.current);
    early.current = null;
  }, [text]);

  const surface = useDiscussed(place, places, saving);
  const mayComment = useQuery(spaceQuery(place.space)).data?.permissions.comment ?? false;
  const shown = (read: EditedText | null) => {
    setText(read);
    // An address may name a heading.
    const anchor = read && location.hash.slice(1);
    if (anchor)
      read
        .read()
        .headings.find((heading) => heading.anchor === anchor || encodeURIComponent(heading.anchor) === anchor)
        ?.go();
  };

  return (
    <Around
      place={place}
      mode="rich"
      saving={saving}
      state={state}
      status={loaded.status}
      may={may}
      kept={useKept(begun, left, ({ document }) => plainText(document))}
      plain={() => plainText(typed.current.write())}
      target={() => editor.current?.target() ?? null}
      live={live}
      outdated={saving.outdated}
      onSwitch={() => onSwitch(editor.current?.viewState() ?? null)}
    >
      <GivePageText text={text} />
      <GiveSurface surface={surface} />
      {places && mayComment && !editable && (
        <SelectionButton root={places.root} page={place.page} words={places.selected} />
      )}
      {places && mayComment && <BlockButton root={places.root} blocks={places.blocks} onAsk={places.ask} />}
      <PageHead place={place}>
        <textarea
          ref={name}
          className={styles.title}
          aria-label={t("edit.title")}
          placeholder={t("edit.untitled")}
          rows={1}
          dir={title ? "auto" : undefined}
          value={title}
          readOnly={!editable}
          onChange={(event) => rename(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
            if (event.key === "ArrowDown" && event.currentTarget.selectionStart < title.length) return;
            event.preventDefault();
            (editor.current ?? waiting.current)?.focus();
          }}
        />
      </PageHead>
      <Suspense fallback={<Early ref={waiting} editable={open} onText={(typed) => (early.current = typed)} />}>
        <Editor
          ref={editor}
          document={first.document}
          editable={editable}
          together={saving}
          left={left?.live?.text ?? null}
          label={t("edit.body")}
          services={services}
          viewState={viewState}
          onText={shown}
          onPlaces={setPlaces}
          onFirst={() => name.current?.focus()}
          onChange={(write) => {
            typed.current.write = write;
            saving.typed();
          }}
        />
      </Suspense>
    </Around>
  );
}
