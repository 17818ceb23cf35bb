// The title and the body of a page while they are written, and what becomes of what is typed.
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { EditedText, Handle } from "../editor/Editor";
import { plainText } from "../editor/document";
import { Banner } from "../look/Banner";
import { Button, buttonClass } from "../look/Button";
import { Skeleton } from "../look/Skeleton";
import { HeaderSlot } from "../space/HeaderSlot";
import { GivePageText } from "../space/PageText";
import { t } from "../words/words";
import type { Drafts, Draft } from "./drafts";
import styles from "./EditPage.module.css";
import { Saving, type Loaded } from "./saving";
import { SaveNote } from "./SaveNote";
import { serverOf, type Place } from "./server";
import { servicesOf } from "./services";

const Editor = lazy(() => import("../editor/Editor").then(({ Editor }) => ({ default: Editor })));

type Begun = { user: string; loaded: Loaded & { status: string }; drafts: Drafts; left: Draft | null };

export function Writing({ place, begun }: { place: Place; begun: Begun }) {
  const queries = useQueryClient();
  const { loaded, left, drafts, user } = begun;
  const first = left ?? loaded;
  const open = loaded.status === "draft" || loaded.status === "open";
  const [title, setTitle] = useState(first.title);
  const [restored, setRestored] = useState(left !== null && open);
  const [text, setText] = useState<EditedText | null>(null);
  const [copied, setCopied] = useState(false);
  const editor = useRef<Handle>(null);
  const name = useRef<HTMLTextAreaElement>(null);
  // What is typed now, for a saving that lives as long as the screen.
  const typed = useRef({ title: first.title, write: () => first.document });
  const [services] = useState(() => servicesOf(queries, place));
  const [saving] = useState(
    () =>
      new Saving({
        server: serverOf(queries, place, user),
        drafts,
        loaded,
        left: open ? left : null,
        current: () => ({ title: typed.current.title, document: typed.current.write() }),
        received: (content) => {
          show(content.title);
          editor.current?.receive(content.document);
          typed.current.write = () => editor.current?.write() ?? content.document;
        },
        replaced: (content) => {
          show(content.title);
          editor.current?.replace(content.document);
          typed.current.write = () => editor.current?.write() ?? content.document;
        },
      }),
  );
  const state = useSyncExternalStore(saving.subscribe, saving.get);

  function show(text: string) {
    typed.current.title = text;
    setTitle(text);
  }
  const rename = (text: string) => {
    // A title is one line.
    show(text.replaceAll("\n", " "));
    saving.changed();
  };

  // What is left is sent when the tab is hidden or the screen is left; a network that comes back is not waited for.
  useEffect(() => {
    const hidden = () => document.visibilityState === "hidden" && saving.leave();
    const online = () => saving.get().kind === "offline" && void saving.save();
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("online", online);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("online", online);
      saving.leave();
    };
  }, [saving]);

  const copy = async () => {
    await navigator.clipboard.writeText(plainText(typed.current.write()));
    setCopied(true);
  };
  return (
    <>
      <HeaderSlot name="state">{open && <SaveNote state={state} onRetry={() => void saving.save()} />}</HeaderSlot>
      <HeaderSlot name="action">
        <Link to="/spaces/$space/changes/$number" params={{ space: place.space, number: String(place.change) }} className={buttonClass("primary")}>
          {t("edit.review")}
        </Link>
      </HeaderSlot>
      {!open && <Banner className={styles.banner}>{t(loaded.status === "merged" ? "edit.closed.merged" : "edit.closed.archived")}</Banner>}
      {restored && state.kind !== "conflict" && (
        <Banner className={styles.banner} actions={<Button kind="quiet" onClick={() => setRestored(false)}>{t("look.close")}</Button>}>
          {t("edit.restored")}
        </Banner>
      )}
      {state.kind === "conflict" && (
        <Banner
          kind="warning"
          className={styles.banner}
          actions={
            <>
              <Button onClick={() => saving.keepMine()}>{t("edit.conflict.mine")}</Button>
              <Button onClick={() => saving.takeTheirs()}>{t("edit.conflict.theirs")}</Button>
              <Button kind="quiet" onClick={() => void copy()}>{t(copied ? "edit.conflict.copied" : "edit.conflict.copy")}</Button>
            </>
          }
        >
          {t("edit.conflict")}
        </Banner>
      )}
      <GivePageText text={text} />
      <textarea
        ref={name}
        className={styles.title}
        aria-label={t("edit.title")}
        placeholder={t("edit.untitled")}
        rows={1}
        value={title}
        readOnly={!open}
        onChange={(event) => rename(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
          if (event.key === "ArrowDown" && event.currentTarget.selectionStart < title.length) return;
          event.preventDefault();
          editor.current?.focus();
        }}
      />
      <Suspense fallback={<Skeleton lines={6} />}>
        <Editor
          ref={editor}
          document={first.document}
          editable={open}
          label={t("edit.body")}
          services={services}
          onText={setText}
          onFirst={() => name.current?.focus()}
          onChange={(write) => {
            typed.current.write = write;
            saving.changed();
          }}
        />
      </Suspense>
    </>
  );
}
