// What can be done with selected words. It comes when the pointer is up; on a phone it stands above the keyboard.
import { ChevronDown, Highlighter, Link as LinkIcon, MessageSquarePlus, StickyNote } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from "react";
import { TextSelection, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { keysOf } from "../look/shortcuts";
import { Menu, MenuItem } from "../look/Menu";
import { IconButton } from "../look/Button";
import { t, type Key } from "../words/words";
import { dock, phone } from "./blocks/PhoneBar";
import { turn, turns } from "./blocks/turn";
import { ColorMenu } from "./ColorMenu";
import { askAbout, commented } from "./comments";
import { coordsAt } from "./coords";
import { areHighlighted, highlightLines } from "./highlight";
import { hasMark, leadTo, linkRef, mark, type MarkName } from "./commands";
import { addNote } from "./forms/notes";
import { icons } from "./icons";
import { LinkField } from "./LinkField";
import { around } from "./panels";
import styles from "./SelectionBar.module.css";
import type { Session } from "./session";
import { placeWithWindow } from "./useBeside";

const marks: { name: MarkName; icon: string; label: Key; keys?: string }[] = [
  { name: "bold", icon: "bold", label: "editor.bold", keys: keysOf("bold") },
  { name: "italic", icon: "italic", label: "editor.italic", keys: keysOf("italic") },
  { name: "strikethrough", icon: "strikethrough", label: "editor.strikethrough", keys: keysOf("strikethrough") },
  { name: "code", icon: "inlineCode", label: "editor.inlineCode", keys: keysOf("inlineCode") },
  { name: "keyboard", icon: "keyboard", label: "editor.keyboard" },
  { name: "superscript", icon: "superscript", label: "editor.superscript" },
  { name: "subscript", icon: "subscript", label: "editor.subscript" },
];

const inCode = ({ selection: { $from } }: EditorState): boolean => $from.parent.type.spec.code === true;

// Words are selected that can have marks.
function offers(state: EditorState): boolean {
  const { selection } = state;
  return (
    selection instanceof TextSelection &&
    !selection.empty &&
    (!inCode(state) || selection.$from.sameParent(selection.$to)) &&
    state.doc.textBetween(selection.from, selection.to, " ").trim() !== ""
  );
}

// SelectionBar is there while words are selected. Otherwise it follows nothing: whatever React draws anew costs it a
// walk through the whole text, to keep the selection.
export function SelectionBar({ session }: { session: Session }) {
  const needed = useSyncExternalStore(session.subscribe, () => offers(session.state()) || session.asksLink());
  return needed && <Bar session={session} />;
}

function Bar({ session }: { session: Session }) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const linking = useSyncExternalStore(session.subscribe, session.asksLink);
  const [pressed, setPressed] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const shown = (offers(state) || linking) && !pressed;
  const { from, to } = state.selection;

  // The pointer is the document's: it may come up outside of the text.
  useEffect(() => {
    const down = (event: PointerEvent) => session.view.dom.contains(event.target as Node) && setPressed(true);
    const up = () => setPressed(false);
    document.addEventListener("pointerdown", down);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", up);
    return () => {
      document.removeEventListener("pointerdown", down);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", up);
    };
  }, [session]);

  useLayoutEffect(() => {
    const element = bar.current;
    if (!shown || !element) return;
    const docked = matchMedia(phone).matches;
    element.toggleAttribute("data-docked", docked);
    if (docked) return dock(element);
    const place = () => {
      const start = coordsAt(session.view, from);
      const end = coordsAt(session.view, to, -1);
      const above = start.top - element.offsetHeight - 8;
      const middle = start.top === end.top ? (start.left + end.right) / 2 : start.left + 120;
      element.style.left = `${Math.max(8, Math.min(middle - element.offsetWidth / 2, window.innerWidth - element.offsetWidth - 8))}px`;
      element.style.top = `${above > 56 ? above : end.bottom + 8}px`;
    };
    return placeWithWindow(place);
  }, [shown, linking, from, to, session]);

  if (!shown) return null;
  const { view } = session;
  // Arrows go through the buttons, Escape back to the text, as the pattern for toolbars has it.
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Escape") return view.focus();
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    event.preventDefault();
    buttons[(at + (event.key === "ArrowRight" ? 1 : -1) + buttons.length) % buttons.length]?.focus();
  };
  const keep = (event: { preventDefault: () => void; target: EventTarget }) =>
    !(event.target instanceof HTMLInputElement) && event.preventDefault();
  return (
    <div ref={bar} className={styles.bar} onMouseDown={keep}>
      {linking ? (
        <LinkField
          services={around(view).services}
          now={linkRef(state)}
          onDone={(ref) => {
            leadTo(ref)(view.state, view.dispatch, view);
            session.link(false);
          }}
          onCancel={() => session.link(false)}
        />
      ) : (
        <div role="toolbar" aria-label={t("editor.toolbar")} className={styles.tools} onKeyDown={walk}>
          {inCode(state) ? (
            <IconButton
              label={t("editor.code.highlight")}
              aria-pressed={areHighlighted(state)}
              onClick={() => highlightLines(view.state, view.dispatch, view)}
            >
              <Highlighter />
            </IconButton>
          ) : (
            <Marks state={state} view={view} />
          )}
          <IconButton
            label={t("editor.note.add")}
            onClick={() => addNote(view.state, view.dispatch, view)}
            disabled={!addNote(state)}
          >
            <StickyNote />
          </IconButton>
          {!inCode(state) && (
            <>
              <ColorMenu view={view} />
              <IconButton
                label={t("editor.link")}
                keys={keysOf("link")}
                aria-pressed={hasMark(state, "link")}
                onClick={() => session.link(true)}
              >
                <LinkIcon />
              </IconButton>
            </>
          )}
          {commented(view).ask && (
            <IconButton label={t("comment.selection")} keys={keysOf("comment")} onClick={() => askAbout(view)}>
              <MessageSquarePlus />
            </IconButton>
          )}
        </div>
      )}
    </div>
  );
}

// Marks is what words of a text can become.
function Marks({ state, view }: { state: EditorState; view: EditorView }) {
  const run = (name: MarkName) => {
    mark(name)(view.state, view.dispatch, view);
    view.focus();
  };
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={styles.turn}>
            {t("editor.turn")}
            <ChevronDown aria-hidden size={14} />
          </button>
        }
      >
        {turns.map(({ name, icon, title }) => {
          const Icon = icons[icon]!;
          return (
            <MenuItem
              key={name}
              icon={<Icon aria-hidden />}
              onClick={() => {
                turn(name)(view.state, view.dispatch, view);
                view.focus();
              }}
            >
              {t(title)}
            </MenuItem>
          );
        })}
      </Menu>
      <span className={styles.rule} />
      {marks.map(({ name, icon, label, keys }) => {
        const Icon = icons[icon]!;
        return (
          <IconButton
            key={name}
            label={t(label)}
            {...(keys ? { keys } : {})}
            aria-pressed={hasMark(state, name)}
            onClick={() => run(name)}
          >
            <Icon />
          </IconButton>
        );
      })}
    </>
  );
}
