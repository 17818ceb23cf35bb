// What the elements of a component of an integration know of it, and the question that is asked before something is
// done.
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { AskDialog } from "../look/AskDialog";
import { Button } from "../look/Button";
import { Dialog } from "../look/Dialog";
import { t } from "../words/words";
import { bound, type Action, type Confirm, type Data, type Option } from "./elements";
import type { KitSession, Snapshot } from "./session";

interface Kit {
  state: Data;
  set: (name: string, value: unknown) => void;
  // act does something, after the question that its author wants. What its action takes from the state is put in.
  act: (action: Action | null, confirm?: Confirm | null) => void;
  // heard does what a web frame wants. It gets nothing from the state but what its element gives it.
  heard: (action: Action) => void;
  // sure asks before something is done.
  sure: (confirm: Confirm | null, then: () => void) => void;
  specs: Specs;
}

// Specs lists the API descriptions of the organization.
export type Specs = () => Promise<Option[]>;

const Context = createContext<Kit | null>(null);

// useKit is the component that an element is in.
export function useKit(): Kit {
  const kit = useContext(Context);
  if (!kit) throw new Error("an element outside of its component");
  return kit;
}

// KitAround gives the elements of a component what they belong to.
export function KitAround({
  session,
  specs,
  children,
}: {
  session: KitSession;
  specs: Specs;
  children: (now: Snapshot) => ReactNode;
}) {
  const now = useSyncExternalStore(session.subscribe, session.get);
  const [asking, ask] = useState<{ confirm: Confirm; then: () => void } | null>(null);
  const sure = (confirm: Confirm | null, then: () => void) => (confirm ? ask({ confirm, then }) : then());
  const act = (action: Action | null, confirm: Confirm | null = null) =>
    action && sure(confirm, () => session.act(bound(action, session.get().state)));
  return (
    <Context
      value={{
        state: now.state,
        set: (name, value) => session.set(name, value),
        act,
        heard: (action) => session.act(action),
        sure,
        specs,
      }}
    >
      {children(now)}
      {asking && <Question {...asking} onClose={() => ask(null)} />}
    </Context>
  );
}

function Question({ confirm, then, onClose }: { confirm: Confirm; then: () => void; onClose: () => void }) {
  const action = confirm.confirm || confirm.title;
  if (confirm.danger)
    return <AskDialog title={confirm.title} text={confirm.text} action={action} onYes={then} onClose={onClose} />;
  const yes = () => {
    onClose();
    then();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={confirm.title}
      description={confirm.text}
      actions={
        <>
          <Button onClick={onClose}>{t("look.cancel")}</Button>
          <Button kind="primary" onClick={yes}>
            {action}
          </Button>
        </>
      }
    />
  );
}
