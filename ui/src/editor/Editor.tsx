// The rich text editor. It knows nothing of screens: a document of the API goes in, a document comes out. Load it
// lazily.
import type { Node } from "@tiptap/pm/model";
import type { Plugin } from "@tiptap/pm/state";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import "../look/article.css";
import "./editor.css";
import "./views/parts.css";
import "./views/code.css";
import "./views/table.css";
import type { ViewState } from "../code/viewState";
import type { Target } from "../find/finder";
import "./media/media.css";
import { t } from "../words/words";
import { BlockHandle } from "./blocks/BlockHandle";
import { BlockMenu } from "./blocks/BlockMenu";
import { PhoneBar } from "./blocks/PhoneBar";
import type { JsonDocument } from "./document";
import { placesOf } from "./comments";
import { NoteCard } from "./NoteCard";
import { outlineOf } from "./outline";
import { LinkCard } from "./LinkCard";
import { PastedAddressMenu } from "./PastedAddressMenu";
import { PanelHost } from "./PanelHost";
import { richTarget } from "./find";
import { SelectionBar } from "./SelectionBar";
import { nobody, type Services } from "./services";
import { Session } from "./session";
import { goTo, viewStateOf } from "./viewState";
import { SlashMenu } from "./SlashMenu";
import { TableTools } from "./tables/TableTools";
import { TriggerMenu } from "./TriggerMenu";

// Handle is what the one who shows the editor can do with it.
export interface Handle {
  // receive takes in what somebody else has changed, and keeps the cursor.
  receive(document: JsonDocument): void;
  // replace begins again with another document, without an undo.
  replace(document: JsonDocument): void;
  write(): JsonDocument;
  // focus goes to where the cursor is, and types a text there.
  focus(typed?: string): void;
  // viewState is where one is, in terms that Markdown shares.
  viewState(): ViewState | null;
  // target is the text as something to find in.
  target(): Target | null;
}

type Props = {
  // The document as the API gives it. Later ones go through the handle.
  document: JsonDocument;
  editable?: boolean;
  // What the text is, for those who listen.
  label: string;
  // Called with a function that writes the document as it is then.
  onChange?: (write: () => JsonDocument) => void;
  onFirst?: () => void;
  services?: Services;
  // Begins with the cursor in the text.
  autoFocus?: boolean;
  // Where to begin.
  viewState?: ViewState | null;
  // Called with what reads headings and counts of the text, null once it is gone.
  onText?: (text: EditedText | null) => void;
  // What those around add to the editor's state, and the document as it is in there, for one that goes on.
  plugins?: readonly Plugin[];
  begin?: Node | undefined;
  // Called with the text while it is edited, null once it is gone.
  onSession?: (session: Session | null) => void;
  // Called with what marks the words that comments are about, null once it is gone.
  onPlaces?: (places: Places | null) => void;
  ref?: Ref<Handle>;
};

export type EditedText = ReturnType<typeof outlineOf>;
export type Places = ReturnType<typeof placesOf>;

export function Editor({
  document,
  editable = true,
  label,
  onChange,
  onFirst,
  onText,
  onPlaces,
  onSession,
  plugins = [],
  begin,
  services = nobody,
  autoFocus = false,
  viewState = null,
  ref,
}: Props) {
  const place = useRef<HTMLDivElement>(null);
  const focused = useRef(autoFocus);
  const [session, setSession] = useState<Session | null>(null);
  // The newest of what it was given, for a view that lives longer than a drawing of this component.
  const given = useRef({ onChange, onFirst, onText, onPlaces, onSession });
  given.current = { onChange, onFirst, onText, onPlaces, onSession };
  const first = useRef({ document, editable, label, services, viewState, plugins, begin });

  // ProseMirror's view is outside of React: it begins and ends with the element, with no moment between in which what
  // is typed would go elsewhere.
  useLayoutEffect(() => {
    if (!place.current) return;
    const made = new Session(place.current, {
      ...first.current,
      placeholder: { page: t("editor.placeholder"), other: t("editor.placeholder.line") },
      onChange: (write) => given.current.onChange?.(write),
      onFirst: () => given.current.onFirst?.(),
    });
    setSession(made);
    given.current.onSession?.(made);
    if (focused.current) made.view.focus();
    given.current.onText?.(outlineOf(made));
    if (first.current.viewState) goTo(made.view, first.current.viewState);
    const places = placesOf(made);
    given.current.onPlaces?.(places);
    return () => {
      given.current.onText?.(null);
      given.current.onPlaces?.(null);
      places.end();
      given.current.onSession?.(null);
      setSession(null);
      made.view.destroy();
    };
  }, []);

  useEffect(() => session?.edit(editable), [session, editable]);

  useImperativeHandle(
    ref,
    () => ({
      receive: (next) => session?.receive(next),
      replace: (next) => session?.replace(next),
      write: () => session?.write() ?? first.current.document,
      focus: (typed) => session?.focus(typed),
      viewState: () => session && viewStateOf(session.view),
      target: () => session && richTarget(session),
    }),
    [session],
  );

  return (
    <div className="editor article" {...(!editable && { role: "region", "aria-label": label })}>
      <div ref={place} />
      {session && editable && <BlockHandle handling={session.handling} />}
      {session && editable && <BlockMenu handling={session.handling} />}
      {session && editable && <PhoneBar session={session} />}
      {session && editable && <SlashMenu session={session} />}
      {session && editable && <SelectionBar session={session} />}
      {session && editable && <NoteCard session={session} />}
      {session && editable && <TableTools session={session} />}
      {session && editable && <TriggerMenu session={session} />}
      {session && editable && <PastedAddressMenu session={session} />}
      {session && editable && <LinkCard session={session} />}
      {session && editable && <PanelHost session={session} panels={session.panels} />}
    </div>
  );
}
