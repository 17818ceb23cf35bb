// What becomes of a session that ends, closes or is left, and of what was typed in it.
import { expect, test } from "vitest";
import { documentOf, Writer } from "./fake";
import { kept } from "./sharedText";
import { batches, beginAnew, server, simulate, wait, writers } from "./simulated";

simulate();

test("what a tab that is gone has left is sent by the next one, once", async () => {
  const [ada] = (await writers(1)) as [Writer];
  ada.wire.loses = (message) => message.type === "steps";
  ada.type(ada.at("one"), "a");
  await wait(60);
  ada.type(ada.at("two"), "b");
  const { begun } = ada.live;
  const waiting = structuredClone(ada.shared.waiting());
  await wait(60);
  server.leave("w0");
  ada.wire.close();
  const read = kept(waiting)!;
  const next = new Writer(server, "again", { doc: read.doc, begun: begun! });
  next.shared.resume(begun!.version, read.steps);
  expect(next.texts()).toEqual(["aone", "btwo", "three"]);
  next.connect();
  await wait(500);
  expect(server.texts()).toEqual(["aone", "btwo", "three"]);
  expect(next.texts()).toEqual(server.texts());
  expect(next.live.get().kind).toBe("saved");
});

test("what was kept for another schema is not read", () => {
  expect(kept({ attrs: null, blocks: ['{"type":"nothing"}'], steps: [] })).toBeNull();
  expect(
    kept({ attrs: null, blocks: ['{"type":"paragraph"}'], steps: ['{"stepType":"replace","from":9,"to":12}'] }),
  ).toBeNull();
});

test("a session that is gone is put together with the one that there is now", async () => {
  const [ada] = (await writers(1)) as [Writer];
  server.reachable = false;
  ada.type(ada.at("one"), "a");
  server.replace("s2", documentOf("one", "two", "three, changed"));
  server.reachable = true;
  ada.wire.cut();
  await wait(500);
  expect(ada.texts()).toEqual(["aone", "two", "three, changed"]);
  expect(server.texts()).toEqual(ada.texts());
});

test("asks when a session that is gone and another have changed the same", async () => {
  for (const prefer of ["mine", "theirs"] as const) {
    beginAnew();
    const [ada] = (await writers(1)) as [Writer];
    server.reachable = false;
    ada.type(ada.at("one"), "a");
    server.replace("s2", documentOf("one, changed", "two", "three, too"));
    server.reachable = true;
    ada.wire.cut();
    await wait(500);
    expect(ada.live.get().kind).toBe("conflict");
    expect(ada.texts()[0]).toBe("aone");
    ada.live.choose(prefer);
    await wait(500);
    expect(ada.live.get().kind).toBe("saved");
    expect(ada.texts()).toEqual([prefer === "mine" ? "aone" : "one, changed", "two", "three, too"]);
    expect(server.texts()).toEqual(ada.texts());
  }
});

test("the end is final, and says what was not saved", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  ada.type(ada.at("one"), "a");
  server.end("merged", "It is merged.");
  await wait(500);
  expect(ada.live.get()).toMatchObject({ kind: "ended", message: "It is merged.", ended: { reason: "merged" } });
  expect(ben.live.get()).toMatchObject({ kind: "ended", people: [] });
  expect(ada.shared.pending).toBe(1);
  await wait(60_000);
  expect(batches(ada)).toHaveLength(0);
});

test("a session that is closed is begun again without a word", async () => {
  const [ada] = (await writers(1)) as [Writer];
  ada.type(ada.at("one"), "a");
  await wait(45);
  server.end("closed");
  await wait(300);
  expect(ada.live.get()).toMatchObject({ kind: "saved", ended: null });
  expect(server.texts()[0]).toBe("aone");
});

test("an app that is too old writes as before", async () => {
  const [ada] = (await writers(1)) as [Writer];
  server.end("schema");
  await wait(100);
  expect(ada.unavailable).toBe("");
  expect(ada.live.get().ended).toBeNull();
});

test("a flush returns once a revision has all that was typed", async () => {
  const [ada] = (await writers(1)) as [Writer];
  ada.type(ada.at("one"), "a");
  const done = ada.live.flushed();
  await wait(200);
  expect(await done).toBe(true);
  expect(ada.live.revision).toBe("r1");
  server.reachable = false;
  ada.type(ada.at("one"), "b");
  ada.wire.cut();
  const not = ada.live.flushed();
  await wait(1000);
  expect(await not).toBe(false);
});

test("who leaves has all sent first", async () => {
  const [ada] = (await writers(1)) as [Writer];
  ada.type(ada.at("one"), "a");
  const left = ada.live.leave();
  await wait(200);
  await left;
  expect(server.texts()[0]).toBe("aone");
  expect(server.clients.size).toBe(0);
});

test("who leaves without a network is sent for once it is back, unless the page is opened again before", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  for (const [writer, opened] of [[ada, false], [ben, true]] as const) {
    server.reachable = false;
    writer.wire.cut();
    writer.type(writer.at("one"), "x");
    await wait(1000);
    const left = writer.live.leave();
    await wait(20_000);
    if (opened) writer.live.finish();
    else server.reachable = true;
    await wait(2000);
    await left;
    server.reachable = true;
    await wait(2000);
    expect(server.texts()[0]).toBe("xone");
  }
});

test("a server that keeps closing is not asked without a pause", async () => {
  const [ada] = (await writers(1)) as [Writer];
  let hellos = 0;
  server.take = (message, _client, hear) => {
    if (message.type === "hello") hellos++;
    hear({ type: "ended", reason: "closed", message: "" });
  };
  server.end("closed");
  await wait(2000);
  expect(hellos).toBeGreaterThan(2);
  expect(hellos).toBeLessThan(15);
  expect(ada.live.get().ended).toBeNull();
});
