import { expect, test, vi } from "vitest";
import type { Data, Drawn } from "./elements";
import { parse } from "./parse";
import { KitSession, type Ask, type Host } from "./session";

const drawn = (state: Data = {}, props: Data = {}): Drawn =>
  parse({
    element: { type: "block", children: [{ type: "textinput", state: "name", initialValue: "Ada" }] },
    state,
    props,
  });
const settled = () => new Promise((done) => setTimeout(done));

function begun(more: Partial<Host> = {}, answers: (ask: Ask) => Drawn | Promise<Drawn> = () => drawn()) {
  const draw = vi.fn(async (ask: Ask) => answers(ask));
  const session = new KitSession({ draw, ...more }, "one", { a: 1 });
  return { session, draw };
}

test("what is filled in goes along with an action", async () => {
  const { session, draw } = begun();
  session.start();
  await settled();
  expect(draw.mock.lastCall).toEqual([{ component: "one", props: { a: 1 } }]);
  expect(session.get().state).toEqual({ name: "Ada" });
  session.set("name", "Grace");
  session.act({ action: "send" });
  session.act({ action: "again" });
  await settled();
  expect(draw.mock.calls.map(([ask]) => ask.action?.action)).toEqual([undefined, "send", "again"]);
  expect(draw.mock.calls[1]![0].state).toEqual({ name: "Grace" });
});

test("a failure keeps what is shown, and is tried again", async () => {
  let works = false;
  const { session, draw } = begun({}, (ask) => {
    if (ask.action && !works) throw new Error("away");
    return drawn();
  });
  session.start();
  await settled();
  session.act({ action: "send" });
  await settled();
  expect(session.get()).toMatchObject({ busy: false, failure: new Error("away"), drawn: { kind: "element" } });
  works = true;
  session.retry();
  await settled();
  expect(session.get().failure).toBeNull();
  expect(draw.mock.lastCall![0].action).toEqual({ action: "send" });
});

test("changed properties are kept once, those of others begin anew", async () => {
  const updateProps = vi.fn();
  const { session, draw } = begun({ updateProps });
  session.start();
  await settled();
  session.set("name", "Grace");
  session.act({ action: "@editor.node.updateProps", props: { b: 2 } });
  await settled();
  expect(updateProps.mock.calls).toEqual([[{ a: 1, b: 2 }]]);
  expect(draw.mock.lastCall![0]).toEqual({ component: "one", props: { a: 1, b: 2 }, state: { name: "Grace" } });
  session.given({ a: 1, b: 2 });
  await settled();
  expect(draw).toHaveBeenCalledTimes(2);
  session.given({ a: 3 });
  await settled();
  expect(draw.mock.lastCall![0]).toEqual({ component: "one", props: { a: 3 } });
});

test("properties that change with what was done keep what was filled in, and draw anew what was complete", async () => {
  const { session, draw } = begun({}, ({ action }) =>
    action?.action === "save" ? { kind: "complete", returnValue: null } : drawn(),
  );
  session.start();
  await settled();
  session.set("name", "Grace");
  session.kept({ a: 1 });
  session.kept({ a: 2 });
  await settled();
  expect(draw.mock.calls.slice(1)).toEqual([[{ component: "one", props: { a: 2 }, state: { name: "Grace" } }]]);
  session.act({ action: "save" });
  await settled();
  session.kept({ a: 3 });
  await settled();
  expect(draw.mock.lastCall).toEqual([{ component: "one", props: { a: 3 } }]);
});

test("properties that a page elsewhere has changed let the script begin anew, with what was filled in", async () => {
  const { session, draw } = begun({}, ({ props, state }) =>
    drawn({ step: state?.["step"] ?? `of ${props["a"]}` }, props),
  );
  session.start();
  await settled();
  session.set("name", "Grace");
  session.act({ action: "save" });
  await settled();
  session.renewed({ a: 1 });
  session.renewed({ a: 2 });
  await settled();
  expect(draw.mock.calls.slice(2)).toEqual([[{ component: "one", props: { a: 2 } }]]);
  expect(session.get().state).toEqual({ name: "Grace", step: "of 2" });
  session.start();
  await settled();
  expect(session.get().state).toEqual({ name: "Ada", step: "of 2" });
});

test("a modal gives what it returns to who has opened it", async () => {
  const { session, draw } = begun({}, ({ action }) =>
    action?.action === "save" ? { kind: "complete", returnValue: { name: "x" } } : drawn(),
  );
  session.start();
  await settled();
  session.act({ action: "@ui.modal.open", componentId: "two", props: { p: 1 } });
  await settled();
  const modal = session.get().modal!;
  expect(draw.mock.lastCall![0]).toEqual({ component: "two", props: { p: 1 } });
  modal.act({ action: "save" });
  await settled();
  expect(session.get().modal).toBeNull();
  expect(draw.mock.lastCall![0]).toMatchObject({
    component: "one",
    action: { action: "@ui.modal.close", returnValue: { name: "x" } },
  });
});

test("an address becomes properties, and an answer that comes too late is nothing", async () => {
  const unfurled = vi.fn();
  let answer: (drawn: Drawn) => void = () => undefined;
  const late = new Promise<Drawn>((done) => (answer = done));
  const { session } = begun({ unfurled }, ({ action }) => (action?.action === "slow" ? late : drawn({}, { url: "u" })));
  session.start({ action: "@link.unfurl", url: "u" });
  await settled();
  expect(unfurled.mock.calls).toEqual([[{ a: 1, url: "u" }]]);
  session.act({ action: "slow" });
  session.given({ z: 1 });
  await settled();
  answer({ kind: "absent" });
  await settled();
  expect(session.get().drawn?.kind).toBe("element");
});

test("a field that shows what it has begun with follows the properties, one that was filled in does not", async () => {
  const { session, draw } = begun({}, (ask) =>
    parse({
      element: {
        type: "block",
        children: ["name", "town"].map((state) => ({
          type: "textinput",
          state,
          initialValue: `${state} ${ask.props["a"]}`,
        })),
      },
      state: ask.state ?? {},
      props: ask.props,
    }),
  );
  session.start();
  await settled();
  expect(session.get().state).toEqual({ name: "name 1", town: "town 1" });
  session.set("town", "Paris");
  session.kept({ a: 2 });
  await settled();
  expect(draw.mock.lastCall![0].state).toEqual({ town: "Paris" });
  expect(session.get().state).toEqual({ name: "name 2", town: "Paris" });
  // An action gets both, and what its answer says is no beginning any more.
  session.act({ action: "send" });
  await settled();
  expect(draw.mock.lastCall![0].state).toEqual({ name: "name 2", town: "Paris" });
  session.kept({ a: 3 });
  await settled();
  expect(session.get().state).toEqual({ name: "name 2", town: "Paris" });
});

test("properties that an action answers with are kept", async () => {
  const updateProps = vi.fn();
  const { session, draw } = begun({ updateProps }, ({ props, action }) =>
    action?.action === "silent"
      ? parse({ element: { type: "block" } })
      : drawn({}, action?.action === "rename" ? { title: "New" } : props),
  );
  session.start();
  await settled();
  session.act({ action: "look" });
  await settled();
  expect(updateProps).not.toHaveBeenCalled();
  session.act({ action: "rename" });
  session.act({ action: "silent" });
  await settled();
  expect(updateProps.mock.calls).toEqual([[{ title: "New" }]]);
  session.act({ action: "look" });
  await settled();
  expect(draw.mock.lastCall![0].props).toEqual({ title: "New" });
});

test("a modal changes the properties of who has opened it, never puts its own there", async () => {
  const updateProps = vi.fn();
  const { session, draw } = begun({ updateProps }, ({ component, action }) =>
    drawn({}, component === "two" && action ? { q: 1 } : {}),
  );
  session.start();
  await settled();
  session.act({ action: "@ui.modal.open", componentId: "two", props: { p: 1 } });
  await settled();
  const modal = session.get().modal!;
  modal.act({ action: "anything" });
  await settled();
  expect(updateProps).not.toHaveBeenCalled();
  modal.act({ action: "@editor.node.updateProps", props: { b: 2 } });
  await settled();
  expect(updateProps.mock.calls).toEqual([[{ a: 1, b: 2 }]]);
  expect(draw.mock.lastCall![0]).toMatchObject({ component: "one", props: { a: 1, b: 2 } });
});
