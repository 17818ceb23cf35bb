// A component of an integration while it is on the screen: what its script has drawn, the state that its fields make,
// and the modal that it has opened. What is done in it goes to the script, one thing after the other.
import { same } from "../editor/document";
import { begun, safeURL, type Action, type Data, type Drawn } from "./elements";

export interface Ask {
  component: string;
  props: Data;
  state?: Data;
  action?: Action;
}

export type Draw = (ask: Ask) => Promise<Drawn>;

// Host is what there is around a component.
export interface Host {
  draw: Draw;
  // updateProps keeps changed properties; without it they are changed for as long as the component is shown.
  updateProps?: (props: Data) => void;
  // opener takes what a modal changes of the properties of the component that has opened it.
  opener?: (change: Data) => void;
  // unfurled keeps what has become of an address.
  unfurled?: (props: Data) => void;
  // acted is called when the script has answered to an action.
  acted?: () => void;
  // complete is called when there is nothing more to show.
  complete?: (returnValue: Data | null) => void;
}

export interface Snapshot {
  drawn: Drawn | null;
  state: Data;
  failure: unknown;
  busy: boolean;
  modal: KitSession | null;
  // times is how often it was drawn.
  times: number;
}

export class KitSession {
  private now: Snapshot = { drawn: null, state: {}, failure: null, busy: false, modal: null, times: 0 };
  private readonly listeners = new Set<() => void>();
  // What waits until the call that runs has its answer, and what is sent once more when a call has failed.
  private waiting: (() => void) | null = null;
  private last: (() => void) | null = null;
  // What was filled in while a call runs stays, whatever its answer says.
  private touched = new Map<string, unknown>();
  // What was filled in since it began stays when its script begins anew.
  private filled = new Map<string, unknown>();
  // What fields have begun with, as nobody has said anything else yet.
  private begins: Data = {};
  // Each beginning makes the answers to what was asked before it worthless.
  private round = 0;

  constructor(
    private readonly host: Host,
    private readonly component: string,
    private props: Data,
  ) {}

  readonly get = (): Snapshot => this.now;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private put(change: Partial<Snapshot>): void {
    this.now = { ...this.now, ...change };
    for (const listener of this.listeners) listener();
  }

  // start draws it for the first time, or anew without what was filled in.
  readonly start = (action?: Action): void => {
    this.round++;
    this.waiting = null;
    this.filled.clear();
    this.put({ busy: false, state: {}, modal: null });
    void this.call(action, false);
  };

  // given takes properties that somebody else has changed.
  given(props: Data): void {
    if (same(props, this.props)) return;
    this.props = props;
    this.start();
  }

  // kept takes properties that have changed with what was done here. What was filled in stays while there are fields;
  // one that shows what it has begun with begins anew, since that may be one of the properties.
  kept(props: Data): void {
    if (same(props, this.props)) return;
    this.props = props;
    if (this.now.drawn?.kind === "element") void this.call(undefined, true, true);
    else this.start();
  }

  // renewed takes properties that a page elsewhere has changed, such as one to sign in. What the script has kept of its
  // own in the state, such as the step that it is at, may be of before, so it begins anew; what was filled in stays.
  renewed(props: Data): void {
    if (same(props, this.props)) return;
    this.props = props;
    if (this.now.drawn?.kind === "element") void this.call(undefined, false);
    else this.start();
  }

  set(name: string, value: unknown): void {
    this.touched.set(name, value);
    this.filled.set(name, value);
    delete this.begins[name];
    this.put({ state: Object.fromEntries([...Object.entries(this.now.state), [name, value]]) });
  }

  // retry asks once more for what has failed.
  readonly retry = (): void => this.last?.();

  // call asks the script, with the state if it goes on, and without what fields have begun with if they begin anew.
  private async call(action: Action | undefined, goesOn = true, anew = false): Promise<void> {
    const again = () => void this.call(action, goesOn, anew);
    if (this.now.busy) {
      this.waiting = again;
      return;
    }
    const round = this.round;
    this.last = again;
    this.touched = new Map(goesOn ? [] : this.filled);
    this.put({ busy: true, failure: null });
    const state = Object.fromEntries(
      Object.entries(this.now.state).filter(([name]) => !anew || !Object.hasOwn(this.begins, name)),
    );
    try {
      const drawn = await this.host.draw({
        component: this.component,
        props: this.props,
        ...(goesOn ? { state } : {}),
        ...(action ? { action } : {}),
      });
      if (round !== this.round) return;
      this.take(drawn, action);
      if (action) this.host.acted?.();
    } catch (failure) {
      if (round !== this.round) return;
      this.put({ busy: false, failure });
    }
    const { waiting } = this;
    this.waiting = null;
    waiting?.();
  }

  private take(drawn: Drawn, action: Action | undefined): void {
    if (drawn.kind !== "element") {
      this.put({ drawn, busy: false });
      if (drawn.kind === "complete") this.host.complete?.(drawn.returnValue);
      return;
    }
    const state = Object.entries(begun(drawn.element, drawn.state));
    this.begins = Object.fromEntries(
      state.filter(([name]) => !Object.hasOwn(drawn.state, name) && !this.touched.has(name)),
    );
    this.put({ drawn, busy: false, state: Object.fromEntries([...state, ...this.touched]), times: this.now.times + 1 });
    if (action?.action === "@link.unfurl") {
      this.props = { ...this.props, ...drawn.props };
      this.host.unfurled?.(this.props);
    } else if (action && drawn.props && !same(drawn.props, this.props)) {
      // An action may answer with other properties, which are those of the component from then on.
      this.props = drawn.props;
      this.host.updateProps?.(this.props);
    }
  }

  private change(change: Data): void {
    this.props = { ...this.props, ...change };
    this.host.updateProps?.(this.props);
    void this.call(undefined);
  }

  // act does what a button, a field or a web frame wants.
  readonly act = (action: Action | null): void => {
    switch (action?.action) {
      case undefined:
        return;
      case "@ui.url.open": {
        const address = safeURL(String(action?.["url"] ?? ""));
        if (address) window.open(address, "_blank", "noopener,noreferrer");
        return;
      }
      case "@ui.modal.open":
        return this.open(String(action?.["componentId"] ?? ""), (action?.["props"] ?? {}) as Data);
      case "@ui.modal.close":
        return this.host.complete?.((action?.["returnValue"] ?? null) as Data | null);
      case "@editor.node.updateProps":
        return (this.host.opener ?? ((change) => this.change(change)))((action?.["props"] ?? {}) as Data);
      default:
        return void this.call(action ?? undefined);
    }
  };

  private open(component: string, props: Data): void {
    const modal: KitSession = new KitSession({
      draw: this.host.draw,
      opener: this.host.opener ?? ((change) => this.change(change)),
      complete: (returnValue) => this.close(returnValue ?? {}),
    }, component, props);
    this.put({ modal });
    modal.start();
  }

  // close ends the modal; what it returns goes to the script of the component that has opened it, null for nothing.
  readonly close = (returnValue: Data | null): void => {
    this.put({ modal: null });
    if (returnValue) void this.call({ action: "@ui.modal.close", returnValue });
  };
}
