// Brings blocks of integrations to life: what a reader does in one is sent to the site, which calls the integration,
// and the answer takes the block's place. The block keeps its focus, and screen readers are told. Web frames get what
// their data is bound to, and say how large they are. The markup is that of package contentkit.
(() => {
  "use strict";
  const config = document.currentScript.dataset;
  const words = JSON.parse(config.words ?? "{}");
  const frames = (config.frames ?? "").split(" ");
  const read = (text, otherwise) => {
    try {
      return JSON.parse(text);
    } catch {
      return otherwise;
    }
  };
  const page = read(config.page, {});
  const visitors = new Map(); // integrations → what their frames are told of the visitor, for this page
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  // The region has to be there before something is said in it.
  const status = make("p", { class: "visually-hidden", role: "status" });
  document.body.append(status);
  const say = (text) => {
    status.textContent = "";
    setTimeout(() => { status.textContent = text; }, 50);
  };
  const live = new Map(); // windows of web frames → what is known of each
  let count = 0;

  // A block is its node, what it was made of, and the block that has opened it, for a modal.
  const begin = (node, made, opener = null) => {
    const block = { node, ...made, state: made.state ?? {}, opener, prefix: `b${++count}-`, busy: null, again: null };
    node.kit = block;
    enliven(block);
    return block;
  };

  function enliven(block) {
    for (const frame of block.node.querySelectorAll("[data-kit-frame]")) {
      const { origin, protocol } = new URL(frame.src);
      if (!frames.includes(origin) && !frames.includes(protocol)) {
        // The policy of this page does not know the server: it was not there when the page was made.
        frame.replaceWith(
          make("a", { class: "kit-link", href: frame.src, rel: "noopener noreferrer nofollow" }, frame.src),
        );
        continue;
      }
      const ratio = Number(frame.dataset.kitRatio);
      if (ratio) frame.style.aspectRatio = String(ratio);
      live.set(frame, { block, ready: false });
    }
    for (const field of block.node.querySelectorAll("select[data-kit-options]")) options(field);
  }

  async function options(field) {
    // The policy of the page lets it ask nobody but its own server.
    if (new URL(field.dataset.kitOptions).origin !== location.origin) return;
    try {
      const answer = await fetch(field.dataset.kitOptions, { credentials: "omit" });
      const list = await answer.json();
      const chosen = [read(field.dataset.kitChosen, null)].flat().map(String);
      for (const each of Array.isArray(list) ? list : list.options ?? list.items ?? []) {
        const option = make("option", { value: String(each.id) }, String(each.label ?? each.id));
        option.selected = chosen.includes(String(each.id));
        field.append(option);
      }
    } catch {
      // A list that does not answer, or that this page may not ask, leaves what is chosen.
    }
  }

  // The state as the fields of a block have it.
  function stateOf(block) {
    const state = { ...block.state };
    const several = new Map();
    for (const field of block.node.querySelectorAll("[data-kit-state]")) {
      if (field.closest(".kit, .kit-dialog") !== block.node) continue;
      const name = field.dataset.kitState;
      switch (field.dataset.kitKind) {
        case "switch":
          state[name] = field.checked;
          break;
        case "checkbox":
          if (!several.has(name)) several.set(name, []);
          if (field.checked) several.get(name).push(read(field.dataset.kitValue, field.value));
          break;
        case "radio":
          if (field.checked) state[name] = read(field.dataset.kitValue, field.value);
          break;
        case "select":
          if (field.multiple) state[name] = [...field.selectedOptions].map((option) => option.value);
          else if (field.value !== "" || name in state) state[name] = field.value;
          break;
        default:
          if (field.value !== "" || name in state) state[name] = field.value;
      }
    }
    for (const [name, values] of several) state[name] = values;
    return state;
  }

  async function call(block, request) {
    const answer = await fetch(`${config.home}~/block`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        integration: block.integration,
        prefix: block.prefix,
        theme: document.documentElement.dataset.theme,
        ...request,
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  async function send(block, action) {
    if (block.busy) {
      block.again = action;
      return;
    }
    block.busy = action;
    block.node.setAttribute("aria-busy", "true");
    try {
      take(block, await call(block, { component: block.component, props: block.props, state: stateOf(block), action }));
    } catch {
      fail(block, words.failed);
    }
    block.busy = null;
    block.node.removeAttribute("aria-busy");
    const { again } = block;
    block.again = null;
    if (again) await send(block, again);
  }

  function fail(block, text) {
    block.node.querySelector(":scope > .kit-failure")?.remove();
    block.node.append(make("p", { class: "kit-failure", role: "alert" }, text));
  }

  // Where the focus was, so that it can go there again: the place among what can have it, and what that is.
  function place(block) {
    const active = document.activeElement;
    if (!block.node.contains(active)) return () => {};
    const all = [...block.node.querySelectorAll("a, button, input, select, textarea, summary, iframe")];
    const index = all.indexOf(active);
    const { kitState, kitPress } = active.dataset;
    const caret = active.selectionStart;
    return () => {
      const now = [...block.node.querySelectorAll("a, button, input, select, textarea, summary, iframe")];
      const same = now.find((each) =>
        kitState
          ? each.dataset.kitState === kitState && each.dataset.kitValue === active.dataset.kitValue
          : kitPress && each.dataset.kitPress === kitPress,
      );
      const target = same ?? now[Math.min(index, now.length - 1)] ?? block.node;
      if (target === block.node) target.tabIndex = -1;
      target.focus({ preventScroll: true });
      if (caret != null && target.setSelectionRange && target.type !== "email") target.setSelectionRange(caret, caret);
    };
  }

  function take(block, answer) {
    if (answer.type === "failed") return fail(block, answer.reason || words.failed);
    if (answer.type === "complete") {
      if (block.opener) close(block, answer.returnValue);
      else block.node.remove();
      return null;
    }
    if (answer.type === "hidden") {
      if (block.opener) close(block);
      else block.node.remove();
      return null;
    }
    if (answer.type === "modal" && !block.opener) return null;
    const focus = place(block);
    // A web frame of the same address stays, since it has a state of its own.
    const kept = new Map(
      [...block.node.querySelectorAll("[data-kit-frame]")].map((frame) => [frame.getAttribute("src"), frame]),
    );
    const body = block.body ?? block.node;
    const made = document.createRange().createContextualFragment(answer.html);
    let stays = null;
    for (const frame of made.querySelectorAll("[data-kit-frame]")) {
      const old = kept.get(frame.getAttribute("src"));
      if (old && kept.size === 1) {
        stays = old;
        old.dataset.kitFrame = frame.dataset.kitFrame;
        old.dataset.kitBindings = frame.dataset.kitBindings;
      }
    }
    block.props = answer.props ?? block.props;
    block.state = answer.state ?? {};
    if (stays) {
      // Moving a frame loads it anew: what is around it is exchanged in its place.
      around(body, made, stays);
    } else {
      for (const frame of body.querySelectorAll("[data-kit-frame]")) live.delete(frame);
      body.replaceChildren(made);
    }
    block.node.removeAttribute("data-kit-waiting");
    enlivenAnew(block);
    if (block.opener) entitle(block);
    focus();
    say(words.updated);
    return null;
  }

  function enlivenAnew(block) {
    const ready = new Map(
      [...live].filter(([frame]) => block.node.contains(frame)).map(([frame, known]) => [frame, known.ready]),
    );
    enliven(block);
    for (const [frame, was] of ready) if (live.has(frame)) live.get(frame).ready = was;
    tell(block);
  }

  // Exchanges the children of a node for others, but leaves what holds the frame that stays.
  function around(node, made, stays) {
    const fresh = [...made.childNodes].find(
      (each) => each.nodeType === 1 && (each.matches("[data-kit-frame]") || each.querySelector("[data-kit-frame]")),
    );
    const old = [...node.childNodes].find((each) => each === stays || each.contains?.(stays));
    while (node.firstChild !== old) node.firstChild.remove();
    while (old.nextSibling) old.nextSibling.remove();
    let before = true;
    for (const each of [...made.childNodes]) {
      if (each === fresh) before = false;
      else if (before) old.before(each);
      else node.append(each);
    }
    if (old !== stays) around(old, fresh, stays);
  }

  // Asks before an action where its author wants that.
  function sure(asked) {
    if (!asked) return Promise.resolve(true);
    return new Promise((resolve) => {
      const yes = make(
        "button",
        { type: "button", class: `kit-button is-${asked.style === "danger" ? "danger" : "primary"}` },
        asked.confirm || asked.title,
      );
      const no = make("button", { type: "button", class: "kit-button" }, words.cancel);
      const dialog = make(
        "dialog",
        {
          class: "kit-dialog kit-confirm",
          "aria-labelledby": "kit-confirm-title",
          "aria-describedby": "kit-confirm-text",
        },
        make("h2", { id: "kit-confirm-title" }, asked.title),
        make("p", { id: "kit-confirm-text" }, asked.text),
        make("div", { class: "kit-buttons" }, no, yes),
      );
      let answer = false;
      yes.addEventListener("click", () => { answer = true; dialog.close(); });
      no.addEventListener("click", () => dialog.close());
      dialog.addEventListener("close", () => { dialog.remove(); resolve(answer); });
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  async function act(block, action) {
    switch (action?.action) {
      case undefined:
        return;
      case "@ui.url.open": {
        const target = URL.canParse(action.url) ? new URL(action.url) : null;
        if (target && ["https:", "http:", "mailto:", "tel:"].includes(target.protocol))
          window.open(target.href, "_blank", "noopener,noreferrer");
        return;
      }
      case "@ui.modal.open":
        return open(block, action);
      case "@ui.modal.close":
        if (block.opener) close(block, action.returnValue);
        return;
      case "@editor.node.updateProps":
        // A reader changes no page: the block shows it for this visit. A modal changes the block that has opened it.
        while (block.opener) block = block.opener;
        block.props = { ...block.props, ...action.props };
        return send(block, undefined);
      default:
        return send(block, action);
    }
  }

  async function open(opener, action) {
    let answer;
    try {
      answer = await call(opener, { component: action.componentId, props: action.props ?? {} });
    } catch {
      return fail(opener, words.failed);
    }
    if (answer.type === "complete") return send(opener, { action: "@ui.modal.close", returnValue: answer.returnValue });
    if (answer.type === "failed" || answer.type === "hidden") return fail(opener, answer.reason || words.failed);
    const body = make("div");
    body.innerHTML = answer.html;
    const shut = make(
      "button",
      { type: "button", class: "kit-dialog-close icon-button", "aria-label": words.close },
      "×",
    );
    const dialog = make("dialog", { class: "kit-dialog" }, shut, body);
    const size = body.querySelector(".kit-modal")?.className.match(/is-\w+/)?.[0];
    if (size) dialog.classList.add(size);
    const block = begin(
      dialog,
      {
        integration: opener.integration,
        visitor: opener.visitor,
        component: action.componentId,
        props: answer.props,
        state: answer.state,
      },
      opener,
    );
    block.body = body;
    entitle(block);
    shut.addEventListener("click", () =>
      close(block, read(body.querySelector(".kit-modal")?.dataset.kitReturn, undefined), true),
    );
    dialog.addEventListener("close", () => {
      for (const frame of dialog.querySelectorAll("[data-kit-frame]")) live.delete(frame);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
    return null;
  }

  // A modal is called by its title, which each answer brings anew.
  function entitle({ node, prefix }) {
    const title = node.querySelector(".kit-modal-title");
    if (!title) return node.removeAttribute("aria-labelledby");
    title.id = `${prefix}title`;
    return node.setAttribute("aria-labelledby", title.id);
  }

  // Ends a modal; what it returns goes to the block that has opened it. The browser gives the focus back.
  function close(block, returnValue, byHand = false) {
    block.node.close();
    if (!byHand || returnValue) void send(block.opener, { action: "@ui.modal.close", returnValue: returnValue ?? {} });
  }

  // An action with what the state has in place of its bindings, {"$state": name}.
  function bound(value, state) {
    if (Array.isArray(value)) return value.map((each) => bound(each, state));
    if (typeof value !== "object" || value === null) return value;
    const names = Object.keys(value);
    if (names.length === 1 && typeof value.$state === "string")
      return Object.hasOwn(state, value.$state) ? state[value.$state] : undefined;
    return Object.fromEntries(names.map((name) => [name, bound(value[name], state)]));
  }

  // Does what a button or a field says. A web frame, which takes another way, gets nothing more of the state than it is
  // told.
  const press = (block, action) => act(block, bound(action, stateOf(block)));

  const blockOf = (node) => node.closest?.(".kit, .kit-dialog")?.kit;

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-kit-press]");
    const block = button && blockOf(button);
    if (!block || block.busy) return;
    if (await sure(read(button.dataset.kitConfirm, null))) await press(block, read(button.dataset.kitPress, null));
  });

  document.addEventListener("change", async (event) => {
    const field = event.target;
    const block = field.dataset?.kitState && blockOf(field);
    if (!block) return;
    const asked = read(field.dataset.kitConfirm, null);
    if (asked && !(await sure(asked))) {
      field.checked = !field.checked;
      return;
    }
    tell(block);
    if (field.dataset.kitChange) await press(block, read(field.dataset.kitChange, null));
  });

  document.addEventListener("input", (event) => {
    const block = event.target.dataset?.kitState && blockOf(event.target);
    if (block) tell(block);
  });

  // What the frames of a block are told of the visitor, null for nothing. Pages are the same for many, so it is asked
  // for.
  function visitorOf(block) {
    if (!block.visitor) return Promise.resolve(null);
    const { integration } = block;
    if (!visitors.has(integration))
      visitors.set(
        integration,
        call(block, { visitor: true }).then(
          ({ claims }) => ({ claims }),
          () => null,
        ),
      );
    return visitors.get(integration);
  }

  // Tells the frames of a block of their page, of the visitor where they may know of one, and what their data is bound
  // to.
  async function tell(block) {
    const visitor = await visitorOf(block);
    const state = stateOf(block);
    for (const [frame, known] of live) {
      if (!frame.isConnected) live.delete(frame);
      else if (known.block === block && known.ready) {
        const data = { page, ...(visitor ? { visitor } : {}), ...read(frame.dataset.kitFrame, {}) };
        for (const [name, from] of Object.entries(read(frame.dataset.kitBindings, {}))) data[name] = state[from];
        // A frame without an origin of its own can be named by no other target; what is told is the state of its block.
        frame.contentWindow?.postMessage({ state: data }, "*");
      }
    }
  }

  function resize(frame, size) {
    const number = (value) => Number.isFinite(Number(value)) && Number(value) > 0 ? Number(value) : null;
    const [ratio, height, most] = [number(size?.aspectRatio), number(size?.height), number(size?.maxHeight)];
    if (ratio) {
      frame.style.aspectRatio = String(ratio);
      frame.style.height = "auto";
    }
    if (height) {
      frame.style.aspectRatio = "auto";
      frame.style.height = `${Math.min(height, 10_000)}px`;
    }
    if (most) frame.style.maxHeight = `${Math.min(most, 10_000)}px`;
  }

  addEventListener("message", (event) => {
    const [frame, known] = [...live].find(([each]) => each.contentWindow === event.source) ?? [];
    if (!frame) return;
    const data = typeof event.data === "string" ? read(event.data, null) : event.data;
    if (data?.context === "iframe.resize") return resize(frame, { height: data.height });
    const action = data?.action;
    switch (action?.action) {
      case undefined:
        return;
      case "@webframe.ready":
        known.ready = true;
        return tell(known.block);
      case "@webframe.resize":
        return resize(frame, action.size);
      case "@webframe.navigate": {
        const path = String(action.path ?? "").replace(/^\/+/, "");
        const to = new URL(path, new URL(config.home, location.href));
        if (to.href.startsWith(new URL(config.home, location.href).href)) {
          if (action.anchor) to.hash = String(action.anchor).replace(/^#/, "");
          location.assign(to);
        }
        return;
      }
      default:
        if (typeof action.action === "string") void act(known.block, action);
    }
  });

  for (const node of document.querySelectorAll("[data-kit]")) begin(node, read(node.dataset.kit, {}));
  for (const node of document.querySelectorAll("[data-kit-waiting]")) {
    const block = begin(node, read(node.dataset.kitWaiting, {}));
    call(block, { component: block.component, props: block.props, action: block.action }).then(
      (answer) => take(block, answer),
      () => fail(block, words.failed),
    );
  }
})();
