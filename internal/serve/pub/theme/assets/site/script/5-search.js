// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// The search dialog.

function search() {
  const address = config.search;
  const storage = `recto-recent:${config.home}`;
  let dialog,
    input,
    above,
    results,
    message,
    status,
    options = [],
    selected = -1,
    timer = 0,
    request = null,
    asked = null,
    partial = 0,
    popular = null;

  function build() {
    input = element("input", {
      type: "search",
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": "search-results",
      "aria-autocomplete": "list",
      "aria-label": labels.search,
      placeholder: config.placeholder ?? labels.search,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
      maxlength: "200",
    });
    results = element("div", {
      class: "search-results",
      id: "search-results",
      role: "listbox",
      "aria-label": labels.search,
    });
    above = element("div");
    message = element("div", { class: "search-note" });
    status = element("div", { class: "visually-hidden", role: "status" });
    const close = element(
      "button",
      { type: "button", class: "icon-button search-close", "aria-label": labels.close },
      glyph("close"),
    );
    const key = (text) => element("kbd", { class: "key" }, text);
    dialog = element("dialog", { class: "search-dialog", "aria-label": labels.search },
      element("div", { class: "search-field" }, glyph("search"), input, element("span", { class: "spinner" }), close),
      above,
      results,
      message,
      element(
        "div",
        { class: "search-foot", "aria-hidden": "true" },
        element("span", {}, key("↑"), key("↓"), labels.toMove),
        element("span", {}, key("↵"), labels.toOpen),
        element("span", {}, key("Esc"), labels.toClose),
      ),
      status,
    );
    document.body.append(dialog);
    input.addEventListener("input", schedule);
    input.addEventListener("keydown", press);
    close.addEventListener("click", () => dialog.close());
    // A browser may keep the page as it is left, and show it so to who comes back.
    // The event of a dialog that closes may come after that.
    addEventListener("pagehide", () => { if (dialog.open) { dialog.close(); hold(false); } });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { request?.abort(); hold(false); });
    results.addEventListener("pointermove", (event) => {
      const index = options.indexOf(event.target.closest(".hit"));
      if (index >= 0 && index !== selected) choose(index, false);
    });
    results.addEventListener("click", (event) => {
      const hit = event.target.closest(".hit");
      if (hit) opened(hit);
    });
  }

  function open(query) {
    if (!dialog) build();
    if (!dialog.open) dialog.showModal();
    hold(true);
    if (query !== undefined) input.value = query;
    input.focus();
    input.select();
    if (query || input.value.trim() === "" || asked === null) run();
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(run, 90);
  }

  async function run() {
    const query = input.value.trim();
    request?.abort();
    if (query !== asked) partial = 0;
    asked = query;
    if (query === "") return recent();
    request = new AbortController();
    const { signal } = request;
    dialog.classList.add("is-busy");
    try {
      const answer = await fetch(`${address}?q=${encodeURIComponent(query)}`, {
        signal,
        headers: { Accept: "application/json" },
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const found = await answer.json();
      // The words of the site are still being read: what is there is shown, and asked for again.
      if (found.incomplete) {
        timer = setTimeout(() => { if (dialog.open) run(); }, 1000);
        if (!found.items.length) note(found.note);
        else if (found.total !== partial) show(found, query);
        partial = found.total;
        return;
      }
      partial = 0;
      show(found, query);
    } catch (error) {
      if (error.name === "AbortError") return;
      note(labels.error, labels.errorHint);
    }
    if (!signal.aborted) dialog.classList.remove("is-busy");
  }

  function note(text, hint) {
    above.replaceChildren();
    results.replaceChildren();
    fill([]);
    message.replaceChildren(element("strong", {}, text), hint ?? "");
    status.textContent = text;
  }

  // What is shown before there is a word: what was opened here last, then what is read most.
  async function recent() {
    dialog.classList.remove("is-busy");
    status.textContent = "";
    const items = remember(storage) ?? [];
    const groups = [];
    if (Array.isArray(items) && items.length) {
      const clear = element("button", { type: "button" }, labels.clear);
      clear.addEventListener("click", () => { remember(storage, []); input.focus(); recent(); });
      groups.push(listed(labels.recent, "clock", items, clear));
    }
    if (popular?.length) groups.push(listed(labels.popular, "page", popular));
    if (!groups.length) note(labels.start);
    else {
      message.replaceChildren();
      above.replaceChildren(groups[0].firstChild);
      results.replaceChildren(...groups);
      fill($$(".hit", results));
    }
    if (popular) return;
    popular = [];
    try {
      popular = (await (await fetch(`${address}?q=`, { headers: { Accept: "application/json" } })).json()).items ?? [];
    } catch {
      // Without them the dialog is as it was.
    }
    if (popular.length && dialog.open && input.value.trim() === "") recent();
  }

  // listed is a group of links under its name, which may have a button.
  function listed(name, icon, items, ...more) {
    const group = element("div", { role: "group", "aria-label": name });
    group.append(
      element("div", { class: "search-head", role: "presentation" }, name, ...more),
      ...items.map((item) => hit(icon, item.url, item.title, item.crumb ?? "", null)),
    );
    return group;
  }

  function show(answer, query) {
    if (!answer.items.length) {
      note(`${labels.empty} “${query}”`, labels.tryAgain);
      return meant(answer);
    }
    const groups = answer.items.map((page, i) => {
      const group = element("div", { role: "group", "aria-labelledby": `hit-page-${i}` });
      const head = hit("page", page.url, page.title, page.crumb, null);
      $(".hit-title", head).id = `hit-page-${i}`;
      group.append(head);
      for (const section of page.sections) {
        // A section without a title of its own is the page's opening text: it belongs to the page's row.
        if (!section.title.length) {
          if (section.text.length)
            $(".hit-title", head).parentElement.append(element("span", { class: "hit-body" }, ...marked(section.text)));
          continue;
        }
        const row = hit("hash", section.url, section.title, "", section.text);
        row.classList.add("hit-section");
        group.append(row);
      }
      return group;
    });
    above.replaceChildren();
    if (answer.note) above.append(element("div", { class: "search-head" }, answer.note));
    meant(answer);
    if (answer.closest) above.append(element("div", { class: "search-head" }, labels.closest));
    message.replaceChildren();
    results.replaceChildren(...groups);
    fill($$(".hit", results));
    results.scrollTop = 0;
    status.textContent =
      (answer.note ? `${answer.note} ` : "") +
      (answer.closest ? `${labels.closest}: ` : "") +
      (answer.total === 1 ? labels.one : labels.many.replace("%d", answer.total));
  }

  // meant offers what may have been meant by words that no page has.
  function meant(answer) {
    if (!answer.meant) return;
    const other = element("button", { type: "button" }, answer.meant);
    other.addEventListener("click", () => open(answer.meant));
    above.append(element("div", { class: "search-head" }, element("span", {}, `${labels.meant} `, other)));
  }

  // marked makes nodes of alternating plain and highlighted texts.
  const marked = (parts) =>
    (Array.isArray(parts) ? parts : [parts]).map((text, i) => (i % 2 ? element("mark", {}, text) : text));

  function hit(icon, url, title, crumb, body) {
    const text = element("span", {}, element("span", { class: "hit-title" }, ...marked(title)));
    if (crumb) text.prepend(element("span", { class: "hit-crumb" }, crumb));
    if (body?.length) text.append(element("span", { class: "hit-body" }, ...marked(body)));
    return element(
      "a",
      { class: "hit", role: "option", href: url, tabindex: "-1", "aria-selected": "false" },
      glyph(icon),
      text,
      element("kbd", { class: "key", "aria-hidden": "true" }, "↵"),
    );
  }

  function fill(list) {
    options = list;
    options.forEach((option, i) => { option.id = `search-hit-${i}`; });
    input.setAttribute("aria-expanded", String(options.length > 0));
    selected = -1;
    choose(options.length ? 0 : -1);
  }

  function choose(index, scroll = true) {
    options[selected]?.setAttribute("aria-selected", "false");
    selected = index;
    const option = options[index];
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option.id);
    if (scroll) option.scrollIntoView({ block: "nearest" });
  }

  function press(event) {
    const last = options.length - 1;
    const to = {
      ArrowDown: selected >= last ? 0 : selected + 1,
      ArrowUp: selected <= 0 ? last : selected - 1,
      PageDown: Math.min(selected + 6, last),
      PageUp: Math.max(selected - 6, 0),
    }[event.key];
    if (to !== undefined && options.length) {
      event.preventDefault();
      choose(to);
    } else if (event.key === "Escape" && !event.isComposing) {
      // A search field would take the first Escape for emptying itself.
      event.preventDefault();
      dialog.close();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      const option = options[selected];
      // Answers still on their way: open what they bring, as somebody who types fast expects.
      if (asked !== input.value.trim() || dialog.classList.contains("is-busy")) {
        clearTimeout(timer);
        run().then(() => options[selected] && follow(options[selected], event));
      } else if (option) follow(option, event);
    }
  }

  function follow(option, event) {
    opened(option);
    if (event.metaKey || event.ctrlKey) window.open(option.href, "_blank", "noopener");
    else location.assign(option.href);
  }

  function opened(option) {
    const entry = {
      url: option.getAttribute("href"),
      title: $(".hit-title", option).textContent,
      crumb: $(".hit-crumb", option)?.textContent ?? "",
    };
    const others = (remember(storage) ?? []).filter((item) => item.url !== entry.url);
    remember(storage, [entry, ...others].slice(0, 6));
    // A link to a place on this very page does not load anything.
    if (new URL(option.href).pathname === location.pathname) dialog.close();
  }

  for (const button of $$(".search-button")) {
    button.setAttribute("aria-haspopup", "dialog");
    button.addEventListener("click", (event) => {
      event.preventDefault();
      open();
    });
    const hint = $("kbd", button);
    if (hint && /Mac|iP(hone|ad)/.test(navigator.platform)) hint.textContent = "⌘ K";
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (dialog?.open) dialog.close();
      else open();
    } else if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action]");
    if (!button) return;
    const { action, query, slug } = button.dataset;
    if (action === "select") selectEverywhere(slug);
    else {
      event.preventDefault();
      open(query ?? "");
    }
  });
}
