// The list beside "[[", "@" or ":" that is being typed. The text keeps the focus, and names the choice that Enter
// takes.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { t, type Key } from "../words/words";
import { type } from "./commands";
import { made } from "./forms/PickForms";
import { around } from "./panels";
import { emojiChoices, targetChoices, type Target } from "./picker/choices";
import type { Choice } from "./picker/choice";
import { optionId, PickerList } from "./picker/PickerList";
import { usePicker } from "./picker/usePicker";
import type { Session } from "./session";
import styles from "./TriggerMenu.module.css";
import { triggerKey, type Trigger } from "./trigger";
import { useBeside } from "./useBeside";

export function TriggerMenu({ session }: { session: Session }) {
  const open = useSyncExternalStore(session.subscribe, () => triggerKey.getState(session.state()) ?? null);
  return open && <Menu key={`${open.kind} ${open.from}`} session={session} open={open} />;
}

const labels: Record<Trigger["kind"], Key> = {
  page: "editor.trigger.page",
  mention: "editor.trigger.mention",
  emoji: "editor.emoji.search",
};

type Picked = { target: Target } | { code: string };

const id = "trigger-menu";

function Menu({ session, open }: { session: Session; open: Trigger }) {
  const { view } = session;
  const { services } = around(view);
  const element = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState(false);
  const search = async (words: string): Promise<Choice<Picked>[]> => {
    if (open.kind === "emoji")
      return (await emojiChoices(words)).slice(0, 8).map((each) => ({ ...each, value: { code: each.value } }));
    const found = await targetChoices(services, words, {
      people: open.kind === "mention",
      create: open.kind === "page" && words.trim().length > 1,
    });
    return found.map((each) => ({ ...each, value: { target: each.value } }));
  };
  const picked = usePicker(search, open.query);
  const { choices, state, index } = picked;
  // Who types on past a name that there is not is left alone.
  const nothing =
    open.kind !== "page" &&
    state !== "waiting" &&
    choices.length === 0 &&
    (open.kind === "emoji" || open.query.includes(" "));
  useBeside(element, session, open.from, `${choices.length} ${state}`);

  const close = () => view.dispatch(view.state.tr.setMeta(triggerKey, "close"));
  const choose = ({ value }: Choice<Picked>) => {
    const { from, to } = open;
    if ("code" in value) {
      view.dispatch(
        view.state.tr
          .replaceWith(from, to, type("emoji").create({ data: { code: value.code } }))
          .setMeta(triggerKey, "close")
          .scrollIntoView(),
      );
      view.focus();
      return;
    }
    void made(value.target).then(
      ({ ref }) => {
        const now = triggerKey.getState(view.state);
        // A page that was made meanwhile goes where the sign is now.
        const at = now?.kind === open.kind ? now : open;
        if (at.to > view.state.doc.content.size) return;
        const mention = type("mention").create({ data: { ref } });
        view.dispatch(view.state.tr.replaceWith(at.from, at.to, mention).setMeta(triggerKey, "close").scrollIntoView());
        view.focus();
      },
      () => setFault(true),
    );
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === "Escape") {
      close();
      return true;
    }
    if (nothing) return false;
    if (picked.onKey(event.key)) return true;
    if (
      (event.key !== "Enter" && event.key !== "Tab") ||
      event.shiftKey ||
      (state !== "waiting" && choices.length === 0)
    )
      return false;
    void picked.take().then((choice) => {
      if (choice) return choose(choice);
      // There was nothing to take, so the key is the text's after all.
      close();
      around(view).onKey = null;
      view.someProp("handleKeyDown", (handle) => handle(view, event));
    });
    return true;
  };

  // The keys are those of the text, which has the focus.
  useEffect(() => {
    around(view).onKey = onKey;
    if (!nothing && choices.length > 0) {
      view.dom.setAttribute("aria-controls", id);
      view.dom.setAttribute("aria-activedescendant", optionId(id, index));
    }
    return () => {
      around(view).onKey = null;
      view.dom.removeAttribute("aria-controls");
      view.dom.removeAttribute("aria-activedescendant");
    };
  });

  if (nothing) return null;
  return (
    <div ref={element} className={styles.menu} onMouseDown={(event) => event.preventDefault()}>
      <PickerList
        id={id}
        label={t(labels[open.kind])}
        picked={picked}
        none={open.query.includes("#") ? t("picker.headings.none") : undefined}
        onChoose={choose}
      />
      {fault && (
        <p role="alert" className={styles.fault}>
          {t("editor.page.create.failed")}
        </p>
      )}
    </div>
  );
}
