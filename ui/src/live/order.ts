// Steps that came before those that they stand on.
import type { Steps } from "./wire";

// Steps that do not come in this time after later ones are asked for.
const patience = 1000;

export class Order {
  private readonly early = new Map<number, Steps>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  // until is the version that is to come before anything is sent again.
  until = 0;

  // version tells up to where steps have been taken in; ask asks for those that miss.
  constructor(
    private readonly version: () => number,
    private readonly ask: () => void,
  ) {}

  get incomplete(): boolean {
    return this.version() < this.until;
  }

  // keep keeps steps for later.
  keep(steps: Steps): void {
    this.early.set(steps.version, steps);
    this.wait(steps.version);
  }

  // wait asks for what has not come up to a version in a while.
  wait(version: number): void {
    this.until = Math.max(this.until, version);
    if (!this.incomplete) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.incomplete && this.ask(), patience);
  }

  // next returns what has come already of what is next.
  next(): Steps | undefined {
    const found = this.early.get(this.version());
    if (found) this.early.delete(found.version);
    return found;
  }

  clear(): void {
    this.early.clear();
    this.until = 0;
    clearTimeout(this.timer);
  }
}
