// Who else is in a live session, where they are in the text, and where this person is.
import type { SharedText } from "./sharedText";
import type { Cursor, FromClient, Person } from "./wire";

// Cursors are not sent more often.
const pause = 120;

export const nobody: Person[] = [];

export class Participants {
  people = nobody;
  // Cursors at a version that has not come yet.
  private readonly early = new Map<string, Cursor>();
  private told = "";
  private focused = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: string,
    private readonly shared: SharedText,
    // send reports whether a message went out.
    private readonly send: (message: FromClient) => boolean,
  ) {}

  // meet takes in who is here now.
  meet(people: readonly Person[]): void {
    const before = this.people;
    const others = people.filter((each) => each.client !== this.client);
    this.people = others.length > 0 ? others : nobody;
    const gone = before
      .filter(({ client }) => !others.some((each) => each.client === client))
      .map((each) => each.client);
    for (const each of gone) this.early.delete(each);
    if (gone.length > 0) this.shared.show({ drop: gone });
    for (const { client, cursor } of others)
      if (cursor && !before.some((each) => each.client === client)) this.point(client, cursor);
  }

  // point shows where somebody is.
  point(client: string, cursor: Cursor): void {
    this.early.delete(client);
    const person = this.people.find((each) => each.client === client);
    if (!person) return;
    if (cursor.anchor === null || cursor.head === null) {
      this.shared.show({ drop: [client] });
      return;
    }
    if (cursor.version > this.shared.version) {
      this.early.set(client, cursor);
      return;
    }
    const anchor = this.shared.place(cursor.anchor, cursor.version);
    const head = this.shared.place(cursor.head, cursor.version);
    if (anchor !== null && head !== null)
      this.shared.show({ put: { client, name: person.user.displayName, anchor, head } });
  }

  // came shows those whose version has come.
  came(): void {
    for (const [client, cursor] of this.early) if (cursor.version <= this.shared.version) this.point(client, cursor);
  }

  // forget leaves a session that is not the one any more.
  forget(): void {
    this.early.clear();
  }

  // selected notes that this person is elsewhere in the text, or not in it any more.
  selected(focused: boolean): void {
    this.focused = focused;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.tell();
    }, pause);
  }

  // tell says where this person is; fresh: to those who do not know anything yet.
  tell(fresh = false): void {
    if (fresh) this.told = "";
    const place = this.focused ? this.shared.selection() : { anchor: null, head: null };
    const now = JSON.stringify([this.shared.version, place]);
    if (now === this.told || (this.told === "" && !this.focused)) return;
    if (this.send({ type: "cursor", version: this.shared.version, ...place })) this.told = now;
  }

  // stop tells nothing any more.
  stop(): void {
    this.focused = false;
    clearTimeout(this.timer);
  }
}
