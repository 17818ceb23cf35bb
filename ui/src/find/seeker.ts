// Looks for something in one text after the other. Regular expressions are tried beside the screen, where one that
// never ends can be stopped.
import { search, type Match, type Query } from "./search";

// So long may a regular expression take for the texts of one page, in milliseconds, and so long may loading.
const patience = 1000;
const loading = 10_000;

export class Seeker {
  private worker: Worker | null = null;
  private ready: Promise<void> | null = null;

  constructor(
    private readonly query: Query,
    private readonly replacement: string,
  ) {}

  // seek returns what is found, null when it takes too long.
  async seek(texts: string[]): Promise<Match[] | null> {
    const { query, replacement } = this;
    if (!query.regex) return search(texts, query, replacement);
    const worker = (this.worker ??= this.start());
    try {
      await this.ready;
      return await answerOf<Match[]>(worker, patience, () => worker.postMessage({ texts, query, replacement }));
    } catch {
      this.end();
      return null;
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.ready = answerOf(worker, loading).then(() => undefined);
    return worker;
  }

  end(): void {
    this.worker?.terminate();
    this.worker = null;
  }
}

// answerOf waits for the next message of a worker.
function answerOf<T>(worker: Worker, longest: number, ask?: () => void): Promise<T> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error("slow")), longest);
    worker.onmessage = (event: MessageEvent<T>) => {
      clearTimeout(timer);
      done(event.data);
    };
    worker.onerror = () => {
      clearTimeout(timer);
      failed(new Error("failed"));
    };
    ask?.();
  });
}
