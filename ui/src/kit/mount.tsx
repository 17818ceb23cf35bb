// Puts a component of an integration into an element that is not React's: of the editor, or of a page that is read.
import { createRoot } from "react-dom/client";
import { t } from "../words/words";
import type { Specs } from "./context";
import type { Action, Data } from "./elements";
import { Kit } from "./Kit";
import styles from "./Kit.module.css";
import { type Draw, KitSession } from "./session";
import { Tools } from "./Tools";

export interface Options {
  integration: string;
  block: string;
  props: Data;
  // action is what its script is told first.
  action?: Action | undefined;
  draw: Draw;
  specs: Specs;
  updateProps?: (props: Data) => void;
  unfurled?: (props: Data) => void;
  // onProperties opens the properties as they are; null where they cannot be changed.
  onProperties: (() => void) | null;
  // onDrawn is told whether there is something to see.
  onDrawn?: (something: boolean) => void;
}

export interface Mounted {
  // given takes properties that have been changed elsewhere.
  given: (props: Data) => void;
  end: () => void;
}

export function mount(
  place: HTMLElement,
  { integration, block, props, action, draw, specs, updateProps, unfurled, onProperties, onDrawn }: Options,
): Mounted {
  const session = new KitSession(
    { draw, ...(updateProps ? { updateProps } : {}), ...(unfurled ? { unfurled } : {}) },
    block,
    props,
  );
  const root = createRoot(place);
  const nothing = onProperties && (
    <p className={styles.hint}>{t("kit.nothing", { name: `${integration} / ${block}` })}</p>
  );
  root.render(
    <Kit
      session={session}
      specs={specs}
      tools={(controls) => <Tools controls={controls} onProperties={onProperties} />}
      nothing={nothing}
    />,
  );
  const told = session.subscribe(() => {
    const { drawn, failure } = session.get();
    if (drawn) onDrawn?.(drawn.kind === "element" || failure !== null);
  });
  session.start(action);
  return {
    given: (changed) => session.given(changed),
    end: () => {
      told();
      // It may be taken away while React draws something else.
      queueMicrotask(() => root.unmount());
    },
  };
}
