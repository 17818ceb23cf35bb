// fetch: Go sends the request and follows redirects, and tells when the answer is there.
import { take } from "./body";
import { listOf } from "./headers";
import { host, hostJSON, hostText, json, pack, unpack } from "./host";
import { asked, DOMException, named } from "./errors";
import { answer, Request, type Response } from "./request";

interface Waiting {
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}
const waiting = new Map<number, Waiting>();
let last = 0;

export async function fetch(input: unknown, init?: Record<string, unknown>): Promise<Response> {
  const request = new Request(input, init);
  const { signal } = request;
  signal.throwIfAborted();
  if (!/^https?:/.test(request.url)) {
    throw new TypeError(`fetch of ${request.url.slice(0, 200)}: only addresses with http and https can be asked`);
  }
  const body = request.body === null && !request.bodyUsed ? null : await take(request);
  signal.throwIfAborted();
  last++;
  const id = last;
  const headers = json.stringify(listOf(request.headers));
  const text = typeof body === "string";
  const held = body === null ? null : text ? body : pack(body);
  asked(() => host("fetch", id, request.method, request.url, headers, held, text, request.redirect));
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    signal.addEventListener("abort", () => {
      if (waiting.delete(id)) {
        host("abort", id);
        reject(signal.reason);
      }
    });
  });
}

interface Arrival {
  status: number;
  headers: [string, string][];
  url: string;
  redirected: boolean;
  error?: string;
}

/** A request has ended, with an answer or without. */
export function arrived(id: number): void {
  const one = waiting.get(id);
  if (!one) {
    return;
  }
  waiting.delete(id);
  try {
    const { status, headers, url, redirected, error } = hostJSON<Arrival>("arrival");
    if (error !== undefined) {
      throw named(error);
    }
    const bytes = status === 204 || status === 205 || status === 304 ? null : unpack(hostText("body"));
    one.resolve(answer(bytes, status, headers, url, redirected));
  } catch (error) {
    one.reject(error);
  }
}

/** The event has ended: who waits for a request learns that no answer comes. */
export function forgetRequests(): void {
  for (const { reject } of waiting.values()) {
    reject(new DOMException("the event that sent the request has ended", "AbortError"));
  }
  waiting.clear();
}
