// An integration for the tests of blocks: what its script draws, and a page for its web frame.
import { createServer } from "node:http";

// The script runs inside the server, so that it is given as text. FRAME is where the page of the web frame is.
const source = `
const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", "cache-control": "no-store" } });
const block = (children, more = {}) => ({ type: "block", children, ...more });
const button = (label, action, more = {}) => ({ type: "button", label, onPress: typeof action === "string" ? { action } : action, ...more });
const shown = (element, state = {}, props = {}) => json({ type: "element", state, props, element });
const nested = (depth) => depth === 0 ? { type: "text", children: ["deep"] } : { type: "box", children: [nested(depth - 1)] };

const components = {
  counter({ props, state = {}, action, context }) {
    const count = (state.count ?? props.start ?? 0) + (action?.action === "add" ? 1 : 0);
    const unfurled = action?.action === "@link.unfurl" ? { start: 40, url: action.url } : {};
    const now = { ...props, ...unfurled };
    return shown(block([
      { type: "card", title: now.title ?? "Counter", icon: "star", hint: "Counts what is pressed", children: [
        { type: "text", children: ["Count is ", { type: "text", style: "bold", children: [String(unfurled.start ?? count)] }] },
        { type: "text", style: "italic", children: [context.type + " " + (context.editable ? "writes" : "reads") + " " + context.theme + (now.url ? " of " + now.url : "")] },
        { type: "text", children: [" Starts at " + (now.start ?? 0)] },
        { type: "markdown", content: "Some **Markdown** of the script" },
      ], buttons: [button("Add one", "add", { style: "primary" }), button("Rename", { action: "@ui.modal.open", componentId: "rename", props: { title: now.title ?? "Counter" } })] },
    ], { controls: [
      { label: "Start at ten", icon: "edit", onPress: { action: "@editor.node.updateProps", props: { ...props, start: 10 } } },
      [{ label: "Open the site", icon: "link-external", onPress: { action: "@ui.url.open", url: "https://example.org/counter" } }],
    ] }), { count: unfurled.start ?? count }, now);
  },

  rename({ props, state = {}, action }) {
    if (action?.action === "save") {
      return state.name ? json({ type: "complete", returnValue: { name: state.name } }) : rename(props, state, "A name is needed.");
    }
    return rename(props, state);
  },

  renamed({ props, state = {}, action }) {
    const name = action?.action === "@ui.modal.close" ? action.returnValue?.name ?? "nothing" : state.name ?? "nothing";
    return shown(block([{ type: "text", children: ["The modal said " + name] }, button("Ask", { action: "@ui.modal.open", componentId: "rename", props: {} })]), { name }, props);
  },

  fields({ props, state = {}, action }) {
    return shown(block([
      { type: "vstack", children: [
        { type: "input", label: "Name", hint: "What it is called", element: { type: "textinput", state: "name", initialValue: "Ada", placeholder: "A name" } },
        { type: "input", label: "Story", element: { type: "textinput", state: "story", multiline: true } },
        { type: "input", label: "Colour", element: { type: "select", state: "colour", initialValue: "red", options: [{ id: "red", label: "Red" }, { id: "blue", label: "Blue" }], onValueChange: { action: "colour" } } },
        { type: "input", label: "Loud", element: { type: "switch", state: "loud", initialValue: false } },
        { type: "input", label: "Small", element: { type: "radio", state: "size", value: "small" } },
        { type: "input", label: "Large", element: { type: "radio", state: "size", value: "large" } },
        { type: "input", label: "Tea", element: { type: "checkbox", state: "drinks", value: "tea" } },
        { type: "input", label: "Coffee", element: { type: "checkbox", state: "drinks", value: "coffee" } },
        { type: "divider", size: "medium" },
        { type: "hstack", children: [button("Send", "send"), button("Remove", "remove", { style: "danger", confirm: { title: "Remove it?", text: "It does not come back.", confirm: "Remove it", style: "danger" } })] },
        { type: "hint", children: [{ type: "text", children: [action ? action.action + " " + JSON.stringify(state) : "Nothing sent"] }] },
        { type: "codeblock", syntax: "json", content: { $state: "story" } },
      ] },
    ]), state, props);
  },

  // bound has actions that take their values from the state, and that answer with other properties.
  bound({ props, state = { word: props.word ?? "", source: props.source ?? "a" }, action, context }) {
    const now = action?.action === "keep" ? { ...props, word: action.word } : action?.action === "pick" ? { ...props, colour: action.colour.chosen } : props;
    return shown(block([
      { type: "textinput", state: "word", placeholder: "Word" },
      button("Keep", { action: "keep", word: { $state: "word" } }),
      { type: "select", state: "colour", placeholder: "Colour", options: [{ id: "red", label: "Red" }, { id: "blue", label: "Blue" }], onValueChange: { action: "pick", colour: { chosen: { $state: "colour" } } } },
      { type: "codeblock", state: "source", syntax: "draw", content: state.source, onContentChange: { action: "@editor.node.updateProps", props: { source: { $state: "source" } } } },
      button("Ask", { action: "@ui.modal.open", componentId: "changer", props: { inner: 1 } }),
      { type: "text", children: ["Kept " + JSON.stringify(now)] },
    ]), state, now);
  },
  changer: ({ props, state = { name: "Turing" } }) => shown({ type: "modal", title: "Change", children: [
    { type: "textinput", state: "name", placeholder: "Name of it" },
    { type: "webframe", source: { url: "FRAME" } },
    button("Put", { action: "@editor.node.updateProps", props: { name: { $state: "name" } } }),
  ] }, state, props),

  frame({ props, state = {}, action }) {
    const count = (state.count ?? 0) + (action?.action === "count" ? 1 : 0);
    return shown(block([
      { type: "textinput", state: "said", placeholder: "Say to the frame", initialValue: "hello" },
      { type: "webframe", aspectRatio: 2, source: { url: "FRAME" }, data: { said: { $state: "said" }, fixed: "yes" } },
      { type: "text", children: ["The frame pressed " + count] },
    ]), { ...state, said: state.said ?? "hello", count }, props);
  },

  faulty({ props, state = {}, action }) {
    if (action?.action === "break" || props.broken) return json({ error: { message: "The tracker is away" } }, 502);
    return shown(block([button("Break", "break"), { type: "textinput", state: "kept", placeholder: "Kept" }]), state, props);
  },

  diagram: ({ props }) => shown(block([{ type: "text", children: ["Drawn: " + props.content] }]), {}, props),
  finished: () => json({ type: "complete" }),

  hostile({ props }) {
    if (props.kind === "many") return shown(block(Array.from({ length: 9000 }, (_, i) => ({ type: "text", children: ["n" + i] }))));
    if (props.kind === "deep") return shown(block([nested(200)]));
    if (props.kind === "large") return shown(block([{ type: "text", children: ["x".repeat(3000000)] }]));
    if (props.kind === "none") return json([null, 1, "x"]);
    const evil = "javascript:parent.hacked=top.hacked=window.hacked=1";
    return shown(block([
      { type: "link", target: { url: evil }, children: ["A link"] },
      { type: "link", target: { url: "data:text/html,<script>top.hacked=1</script>" }, children: ["A data link"] },
      { type: "link", target: { url: { host: "evil.example/@", pathname: "x" } }, children: ["A made link"] },
      { type: "markdown", content: "<img src=x onerror='window.hacked=1'> <script>window.hacked=1</script> [click](javascript:window.hacked=1)" },
      { type: "image", source: { url: "data:text/html,<script>window.hacked=1</script>" }, aspectRatio: 1 },
      { type: "image", source: { url: "x' onerror='window.hacked=1" }, aspectRatio: 1 },
      { type: "webframe", source: { url: evil } },
      { type: "webframe", source: { url: "data:text/html,<script>top.hacked=1</script>" } },
      { type: "text", children: ["<b onclick=hacked=1>Bold</b>"], style: "onmouseover=hacked=1" },
      { type: "script", children: ["window.hacked=1"] },
      { type: "card", title: "<script>window.hacked=1</script>Card", children: { not: "a list" } },
      { type: "codeblock", syntax: "html' onload='hacked=1", content: "<script>window.hacked=1</script>" },
      { type: "select", state: "__proto__", initialValue: { polluted: true }, options: [{ id: "a", label: "<b>A</b>" }, null, 3] },
      { type: "textinput", state: "constructor", initialValue: { toString: 1 } },
      { type: "button", label: "Go", onPress: { action: "@ui.url.open", url: evil } },
      { type: "button", label: { object: true }, onPress: "no action" },
      button("Answer", "again"),
    ]), JSON.parse('{"__proto__":{"polluted":true}}'));
  },

  // linked is steps without a configuration around them, of an account elsewhere, that keeps what is chosen and goes
  // on.
  async linked({ props, state = {}, action, installation }) {
    const saved = props.installation.configuration ?? {}, here = new URL(installation.urls.publicEndpoint);
    if (action?.action === "keep") await fetchAPI(installation, { configuration: { ...saved, zone: action.zone } });
    const step = state.step ?? (saved.credentials ? "signed in" : "not signed in"); // as it was at the beginning
    return shown({ type: "stepper", activeStep: "one", onStepChange: { action: "step" }, onComplete: { action: "keep", zone: { $state: "zone" } }, children: [
      { type: "step", id: "one", title: "Account", children: [
        { type: "input", label: "Account", element: button(saved.credentials ? "Connected" : "Connect", { action: "@ui.url.open", url: here + "/oauth" }) },
        { type: "input", label: "Zone", element: { type: "select", state: "zone", options: { url: { host: here.host, pathname: here.pathname + "/zones", query: { chosen: { $state: "zone" } } } } } },
        { type: "text", children: ["Kept " + (saved.zone ?? "nothing")] },
        { type: "text", children: ["Is " + step] },
        { type: "input", label: "Note", element: { type: "textinput", state: "note" } },
      ] },
    ] }, { ...state, step }, props);
  },

  // account keeps something and goes on; what it draws then does not know of it yet.
  async account({ props, state = {}, action, installation }) {
    const drawn = shown({ type: "configuration", children: [
      { type: "input", label: "Note", element: { type: "textinput", state: "note" } },
      button(installation.configuration.token ? "Linked" : "Link it", "link"),
      { type: "input", label: "Branch", element: { type: "select", acceptInput: true, state: "branch", options: [{ id: "main", label: "main" }, { id: "next", label: "next" }], onValueChange: { action: "pick" } } },
      { type: "text", children: ["Picked: " + (action?.action === "pick" ? state.branch : "none")] },
    ] }, state, props);
    if (action?.action === "link") await fetchAPI(installation, { configuration: { token: "abc" } });
    return drawn;
  },

  setup({ props, state = {}, action, context, installation }) {
    const saved = props.siteInstallation?.configuration ?? props.spaceInstallation?.configuration ?? props.installation?.configuration ?? {};
    const step = action?.action === "step" ? action.step : state.step ?? "key";
    if (action?.action === "finish") return fetchAPI(installation, { configuration: { key: state.key, zone: state.zone ?? "eu" } }).then(() => json({ type: "complete" }));
    return shown({ type: "configuration", children: [
      { type: "stepper", activeStep: step, onStepChange: { action: "step" }, onComplete: { action: "finish" }, children: [
        { type: "step", id: "key", title: "Key", children: [{ type: "input", label: "API key", hint: context.type, element: { type: "textinput", state: "key", initialValue: saved.key ?? "" } }] },
        { type: "step", id: "zone", title: "Zone", children: [{ type: "input", label: "Zone", element: { type: "select", state: "zone", options: { url: installation.urls.publicEndpoint + "/zones" } } }] },
      ] },
    ] }, { ...state, step }, props);
  },
};

const rename = (props, state, fault) => shown({ type: "modal", title: "Rename", subtitle: [{ type: "text", children: ["Readers see it"] }], children: [
  { type: "input", label: "New name", element: { type: "textinput", state: "name", initialValue: props.title ?? "" } },
  ...(fault ? [{ type: "hint", children: [{ type: "text", children: [fault] }] }] : []),
  button("Give back", { action: "@ui.modal.close", returnValue: { name: "given back" } }),
], submit: button("Save", "save", { style: "primary" }) }, state, props);

let environment;
const fail = () => { throw new Error("a key is missing"); };
const fetchAPI = async (installation, change) => {
  const answer = await fetch(environment.apiEndpoint + "/v1/integrations/" + environment.integration.name + "/installations/" + installation.id, {
    method: "PATCH", headers: { authorization: "Bearer " + environment.apiTokens.integration, "content-type": "application/json" }, body: JSON.stringify(change) });
  if (!answer.ok) throw new Error(await answer.text());
};

export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  environment = JSON.parse(form.get("environment"));
  console.log("event", event.type);
  if (event.type === "fetch") {
    const path = new URL(event.request.url).pathname;
    if (path.endsWith("/zones")) return json([{ id: "eu", label: "Europe" }, { id: "us", label: "America" }]);
    if (path.endsWith("/shelves")) return json([{ id: "1", label: "First of " + (environment.installation.configuration.key ?? fail()) }]);
    if (path.endsWith("/channels")) return environment.installation.configuration.credentials ? json([{ value: "C1", label: "general" }]) : new Response("connect first", { status: 500 });
    if (path.endsWith("/oauth")) {
      await fetchAPI(environment.installation, { configuration: { ...environment.installation.configuration, credentials: { access_token: "abc" } } });
      return new Response("<p>Connected.</p><script>window.close()</script>", { headers: { "content-type": "text/html" } });
    }
    if (path.endsWith("/task")) {
      const answer = await fetch(environment.apiEndpoint + "/v1/integrations/" + environment.integration.name + "/tasks", {
        method: "POST", headers: { authorization: "Bearer " + environment.apiTokens.integration, "content-type": "application/json" }, body: JSON.stringify({ task: { name: "sweep" } }) });
      return new Response(await answer.text(), { status: answer.status === 204 ? 200 : 500 });
    }
    return new Response("no", { status: 404 });
  }
  if (event.type === "task") {
    console.warn("swept " + event.task.name);
    return new Response("");
  }
  if (event.type !== "ui_render") return new Response("", { status: event.type === "installation_setup" ? 200 : 406 });
  const component = components[event.componentId];
  if (!component) return json({ error: "none" }, 404);
  return component({ ...event, installation: environment.installation });
} };
`;

const page = `<!doctype html><title>Frame</title><p id="said">nothing</p><button id="count">Count</button>
<script>
const send = (action) => parent.postMessage({ action }, "*");
addEventListener("message", (event) => { document.getElementById("said").textContent = JSON.stringify(event.data.state); });
document.getElementById("count").onclick = () => send({ action: "count" });
send({ action: "@webframe.ready" });
send({ action: "@webframe.resize", size: { height: 222 } });
</script>`;

/** Serves the page of the web frame. */
export async function startFrame() {
  const server = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(page));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/frame`, stop: () => server.close() };
}

/** Publishes an integration, and installs it on all spaces. more goes into its manifest. */
export async function installKit(server, frame, { name = "kit", ...more } = {}) {
  const path = `/v1/integrations/${name}`;
  await server.api("POST", path, {
    organization: server.organization,
    title: "Kit",
    description: "Tries all elements.",
    scopes: ["site:visitor:claims"],
    visibility: "private",
    runtime: "v2",
    script: source.replaceAll("FRAME", frame?.url ?? "about:blank"),
    blocks: [
      {
        id: "counter",
        title: "Counter",
        description: "Counts what is pressed",
        urlUnfurl: ["https://count.example.org/**"],
      },
      { id: "fields", title: "Fields" },
      { id: "renamed", title: "Renamed" },
      { id: "frame", title: "Frame" },
      { id: "faulty", title: "Faulty" },
      { id: "finished", title: "Finished" },
      { id: "hostile", title: "Hostile" },
      { id: "bound", title: "Bound" },
      { id: "diagram", title: "Drawing", markdown: { codeblock: "draw", body: "content" } },
    ],
    ...more,
  });
  const installed = await server.api("POST", `${path}/installations`, { organization: server.organization });
  await server.api("PATCH", `${path}/installations/${installed.id}`, { space_selection: "all" });
  return { path, installation: `${path}/installations/${installed.id}` };
}
