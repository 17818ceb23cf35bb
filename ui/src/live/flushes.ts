// Those who wait for a revision that has all that is typed.

// So long they wait.
const patience = 10_000;

interface Flush {
  // version is what was asked for, null before that.
  version: number | null;
  done: (revision: boolean) => void;
}

export class Flushes {
  private list: Flush[] = [];

  // wait returns whether there is such a revision, once that is known.
  wait(): Promise<boolean> {
    return new Promise((done) => {
      const flush: Flush = { version: null, done };
      this.list.push(flush);
      setTimeout(() => {
        this.list = this.list.filter((each) => each !== flush);
        done(false);
      }, patience);
    });
  }

  // again lets what was asked for be asked for again, over another connection.
  again(): void {
    for (const flush of this.list) flush.version = null;
  }

  // ask reports whether a version is to be asked for.
  ask(version: number): boolean {
    const waiting = this.list.filter((flush) => flush.version === null);
    for (const flush of waiting) flush.version = version;
    return waiting.length > 0;
  }

  // answer tells those whose version is in a revision, or all that there will be none.
  answer(revision: boolean, version = Infinity): void {
    const answered = this.list.filter((flush) => !revision || (flush.version !== null && flush.version <= version));
    this.list = this.list.filter((flush) => !answered.includes(flush));
    for (const { done } of answered) done(revision);
  }
}
