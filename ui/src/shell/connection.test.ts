import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../api/client";
import { caches, connection, leaveWith, metFailure, metSuccess } from "./connection";

describe("connection", () => {
  const left: string[] = [];
  beforeEach(() => {
    left.length = 0;
    leaveWith((address) => left.push(address));
    metSuccess();
    history.replaceState(null, "", "/app/spaces/s1?tab=a#b");
  });

  it("is away when there is no answer, and back with the next one", () => {
    metFailure(new Failure(0, ""), true);
    expect(connection()).toBe("away");
    metSuccess();
    expect(connection()).toBe("here");
    metFailure(new Failure(503, "later"), false);
    expect(connection()).toBe("away");
  });

  it("is here when the server refuses something", () => {
    metFailure(new Failure(403, "no"), true);
    metFailure(new Failure(500, "broken"), true);
    metFailure(new TypeError("a fault of ours"), true);
    expect([connection(), left]).toEqual(["here", []]);
  });

  it("leads through signing in to the address when there is nothing to lose", () => {
    metFailure(new Failure(401, "who?"), true);
    metFailure(new Failure(401, "who?"), true);
    expect(left).toEqual([`/signin?next=${encodeURIComponent("/app/spaces/s1?tab=a#b")}`]);
  });

  it("stays where something may have been typed", () => {
    metFailure(new Failure(401, "who?"), false);
    expect([connection(), left]).toEqual(["expired", []]);
  });

  it("is told by the caches", async () => {
    const queries = new QueryClient({ ...caches(), defaultOptions: { queries: { retry: false } } });
    await queries.fetchQuery({ queryKey: ["a"], queryFn: () => Promise.reject(new Failure(0, "")) }).catch(() => {});
    expect(connection()).toBe("away");
    await queries.fetchQuery({ queryKey: ["b"], queryFn: () => Promise.resolve(1) });
    expect(connection()).toBe("here");
    queries.setQueryData(["c"], 1);
    const ended = () => Promise.reject(new Failure(401, ""));
    await queries.fetchQuery({ queryKey: ["c"], queryFn: ended, staleTime: 0 }).catch(() => {});
    expect([connection(), left]).toEqual(["expired", []]);
  });
});
