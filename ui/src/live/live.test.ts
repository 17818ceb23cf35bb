// A live session against a server that keeps the rules, in simulated time.
import { undo } from "@tiptap/pm/history";
import { TextSelection } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { shownIn } from "./cursors";
import { documentOf, Writer } from "./fake";
import { SharedText } from "./sharedText";
import { batches, server, simulate, start, wait, writers } from "./simulated";

simulate();

test("says saved only once the server has said so", async () => {
  const [ada] = (await writers(1)) as [Writer];
  expect(ada.live.get()).toMatchObject({ kind: "saved", way: "socket" });
  ada.type(ada.at("one"), "a");
  expect(ada.live.get().kind).toBe("saving");
  await wait(50);
  expect(batches(ada)).toHaveLength(1);
  expect(ada.live.get().kind).toBe("saving");
  await wait(30);
  expect(ada.live.get().kind).toBe("saved");
  expect(server.texts()[0]).toBe("aone");
});

test("gathers keys, and has one batch under way at a time", async () => {
  const [ada] = (await writers(1)) as [Writer];
  server.delay = 200;
  for (const letter of "hello") {
    ada.type(ada.at("one"), letter);
    await wait(5);
  }
  await wait(50);
  expect(batches(ada).map(({ steps }) => steps.length)).toEqual([5]);
  ada.type(ada.at("two"), "x");
  await wait(200);
  expect(batches(ada)).toHaveLength(1);
  await wait(1000);
  expect(batches(ada)).toHaveLength(2);
  expect(server.texts()).toEqual(["helloone", "xtwo", "three"]);
});

test("who is behind rebases and sends again, and all end with one text", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  ada.type(ada.at("one"), "A");
  ben.type(ben.at("one"), "B");
  await wait(500);
  expect(ada.texts()).toEqual(ben.texts());
  expect(ada.texts()).toEqual(server.texts());
  expect(ada.texts()[0]).toMatch(/^(AB|BA)one$/);
  expect(ada.live.get().kind).toBe("saved");
  expect(ben.live.get().kind).toBe("saved");
});

test("eight who type at random over bad lines end with one text that has all of it", async () => {
  const all = await writers(8);
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const typed: string[] = [];
  for (let round = 0; round < 30; round++) {
    for (const [i, writer] of all.entries()) {
      if (random() < 0.4) continue;
      const word = `<${i}.${round}>`;
      typed.push(word);
      writer.type(writer.at(["one", "two", "three"][Math.floor(random() * 3)]!), word);
      if (random() < 0.05) writer.wire.cut();
      if (random() < 0.05) {
        let once = true;
        writer.wire.loses = (message) => message.type === "steps" && once && !(once = false);
      }
    }
    await wait(random() * 80);
  }
  await wait(60_000);
  for (const writer of all) {
    expect(writer.live.get().kind).toBe("saved");
    expect(writer.texts()).toEqual(server.texts());
  }
  const text = server.texts().join("\n");
  for (const word of typed) expect(text.split(word)).toHaveLength(2);
}, 60_000);

test("pauses longer each time it is behind", async () => {
  const [ada] = (await writers(1)) as [Writer];
  const times: number[] = [];
  const take = server.take.bind(server);
  server.take = (message, client, hear) => {
    if (message.type !== "steps") return take(message, client, hear);
    times.push(Date.now());
    if (times.length < 10) hear({ type: "behind", id: message.id, version: server.version });
    else take(message, client, hear);
  };
  ada.type(ada.at("one"), "a");
  await wait(10_000);
  // The first time it is sent again at once: with the next tick.
  const pauses = times.slice(1).map((time, i) => time - times[i]! - 2 * server.delay);
  expect(pauses).toEqual([1, 10, 20, 40, 80, 160, 320, 500, 500]);
  expect(server.texts()[0]).toBe("aone");
});

test("a batch whose acknowledgement was lost counts once", async () => {
  const [ada] = (await writers(1)) as [Writer];
  ada.wire.loses = (message) => message.type === "steps";
  ada.type(ada.at("one"), "a");
  await wait(100);
  expect(server.version).toBe(1);
  expect(ada.live.get().kind).toBe("saving");
  ada.wire.loses = () => false;
  ada.type(ada.at("two"), "b");
  ada.wire.cut();
  await wait(300);
  expect(server.texts()).toEqual(["aone", "btwo", "three"]);
  expect(ada.texts()).toEqual(server.texts());
  expect(ada.live.get().kind).toBe("saved");
});

test("a batch that nobody answers is sent again over another connection", async () => {
  const [ada] = (await writers(1)) as [Writer];
  let once = true;
  ada.wire.loses = (message) => message.type === "steps" && once && !(once = false);
  ada.type(ada.at("one"), "a");
  await wait(11_000);
  expect(server.version).toBe(1);
  expect(ada.live.get().kind).toBe("saved");
});

test("writes on while the server is away, and both come together when it is back", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  server.reachable = false;
  ada.wire.cut();
  ada.type(ada.at("one"), "a");
  await wait(1000);
  expect(ada.live.get()).toMatchObject({ kind: "offline", way: "none", people: [] });
  ada.type(ada.at("one"), "b");
  server.insert("w1", "other", [
    new Writer(server, "x", { doc: server.doc }).state.tr.insertText("B", 1).steps[0]!.toJSON(),
  ]);
  server.reachable = true;
  await wait(2000);
  expect(ada.live.get().kind).toBe("saved");
  expect(ada.texts()).toEqual(server.texts());
  expect(server.texts()[0]).toContain("ab");
  ben.wire.cut();
  await wait(1000);
  expect(ben.texts()).toEqual(server.texts());
});

test("what is refused is said, and tried again once something else is typed", async () => {
  const [ada] = (await writers(1)) as [Writer];
  server.refuses = "A link leads nowhere.";
  ada.type(ada.at("one"), "a");
  await wait(200);
  expect(ada.live.get()).toMatchObject({ kind: "refused", message: "A link leads nowhere." });
  await wait(5000);
  expect(batches(ada)).toHaveLength(1);
  server.refuses = "";
  ada.type(ada.at("one"), "b");
  await wait(200);
  expect(ada.live.get().kind).toBe("saved");
  expect(server.texts()[0]).toBe("abone");
});

test("steps that come twice or too early are put in order, and missing ones are asked for", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  let lost = 0;
  ben.wire.loses = (message) => message.type === "steps" && lost++ === 0;
  ada.type(ada.at("one"), "a");
  await wait(200);
  ada.type(ada.at("two"), "b");
  await wait(200);
  expect(ben.texts()).toEqual(["one", "two", "three"]);
  await wait(1500);
  expect(ben.texts()).toEqual(server.texts());
  for (const batch of server.batches) ben.live.message(batch);
  expect(ben.texts()).toEqual(server.texts());
});

test("undo takes back one's own alone", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  ada.type(ada.at("one"), "mine ");
  await wait(200);
  ben.type(ben.at("one"), "theirs ");
  ben.type(ben.at("two"), "more ");
  await wait(200);
  expect(undo(ada.state, (tr) => ada.dispatch(tr))).toBe(true);
  ada.live.changed();
  await wait(200);
  expect(server.texts()).toEqual(["theirs one", "more two", "three"]);
  expect(undo(ada.state, (tr) => ada.dispatch(tr))).toBe(false);
});

test("others' cursors are where they are in a text that has changed since", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  expect(ada.live.get().people.map(({ client }) => client)).toEqual(["w1"]);
  const at = ben.at("two", true);
  ben.state = ben.state.apply(ben.state.tr.setSelection(TextSelection.create(ben.state.doc, at - 3, at)));
  ben.live.participants.selected(true);
  ada.type(ada.at("one"), "more ");
  await wait(500);
  expect(shownIn(ada.state).get("w1")).toMatchObject({ name: "w1", anchor: ada.at("two"), head: ada.at("two", true) });
  // What they type is before their caret, what is typed at it by this person behind it.
  ben.state = ben.state.apply(ben.state.tr.setSelection(TextSelection.create(ben.state.doc, ben.at("two", true))));
  ben.live.participants.selected(true);
  await wait(300);
  ben.type(ben.at("two", true), "!");
  await wait(60);
  expect(shownIn(ada.state).get("w1")?.head).toBe(ada.at("two!", true));
  ben.live.participants.selected(false);
  await wait(300);
  expect(shownIn(ada.state).size).toBe(0);
  ben.live.participants.selected(true);
  await wait(300);
  expect(shownIn(ada.state).size).toBe(1);
  void ben.live.leave();
  await wait(300);
  expect(shownIn(ada.state).size).toBe(0);
  expect(ada.live.get().people).toEqual([]);
});

test("what comes while an input method is at work waits for it", async () => {
  const [ada, ben] = (await writers(2)) as [Writer, Writer];
  ada.composing = true;
  ben.type(ben.at("two"), "b");
  await wait(200);
  expect(ada.texts()[1]).toBe("two");
  ada.composing = false;
  ada.live.settled();
  expect(ada.texts()[1]).toBe("btwo");
});

test("typing before the session is known is part of it", async () => {
  const ada = new Writer(server, "ada", { document: start });
  ada.type(ada.at("one"), "a");
  ada.connect();
  await wait(300);
  expect(server.texts()[0]).toBe("aone");
  expect(ada.live.get().kind).toBe("saved");
});

test("large work goes in batches that the server takes", async () => {
  const [ada] = (await writers(1)) as [Writer];
  for (let i = 0; i < 450; i++) ada.type(1, "x");
  await wait(1000);
  expect(batches(ada).map(({ steps }) => steps.length)).toEqual([200, 200, 50]);
  for (let i = 0; i < 3; i++) ada.type(1, "y".repeat(500_000));
  await wait(1000);
  expect(batches(ada).slice(3).map(({ steps }) => steps.length)).toEqual([1, 1, 1]);
});

test("a text that is taken for what the server has is no change", async () => {
  const ada = new Writer(server, "ada", { document: documentOf("other") });
  ada.type(1, "x");
  const shared = new SharedText(ada);
  shared.reset();
  expect(shared.pending).toBe(0);
});
