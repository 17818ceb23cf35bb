// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// Menus, the announcement, whether a page helped, scripts that a reader is asked about.

// ---- Menus: they open and close by themselves; here, one closes when the reader turns to something else ----
function menus() {
  const all = $$("details.menu");
  if (!all.length) return;
  const close = (except) => all.forEach((menu) => { if (menu !== except) menu.open = false; });
  document.addEventListener("click", (event) => close(event.target.closest("details.menu")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const open = all.find((menu) => menu.open);
    if (!open) return;
    open.open = false;
    $("summary", open).focus();
  });
  for (const menu of all) {
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
    menu.addEventListener("toggle", () => {
      if (menu.open) close(menu);
      // One at the edge that text runs to opens towards the other.
      const list = $(".menu-list", menu);
      list.classList.remove("is-left");
      const { left, right } = list.getBoundingClientRect();
      if (menu.open && (right > root.clientWidth - 8 || left < 8)) list.classList.add("is-left");
    });
  }
}

// ---- Whether the page has been scrolled: a header without a background gets one then ----
function scrolled() {
  const show = () => root.classList.toggle("is-scrolled", scrollY > 8);
  addEventListener("scroll", show, { passive: true });
  show();
}

// ---- Announcement ----
function announcement() {
  $("[data-dismiss]")?.addEventListener("click", () => {
    remember("recto-announcement", root.dataset.announcement);
    root.classList.add("is-dismissed");
    $(".brand")?.focus();
  });
}

// ---- Whether the page helped ----
function feedback() {
  const form = $(".feedback");
  if (!form) return;
  const words = form.dataset;
  const send = async (fields) => {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json" },
    });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.status === 204 ? {} : answer.json();
  };
  const say = (text) => {
    const line = element("p", { class: "feedback-said", role: "status", tabindex: "-1" }, text);
    form.replaceChildren(line);
    line.focus({ preventScroll: true });
    return line;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const comment = $("textarea", form);
    for (const button of $$("button", form)) button.disabled = true;
    try {
      if (comment) {
        if (comment.value.trim()) await send({ answer: form.dataset.answer, comment: comment.value });
        say(words.sent);
        return;
      }
      const { answer } = await send({ page: form.elements.page.value, helpful: event.submitter.value });
      form.dataset.answer = answer;
      const text = element("textarea", { id: "feedback-comment", rows: "3", maxlength: "1000" });
      say(words.thanks).after(
        element("label", { for: "feedback-comment" }, words.tell),
        text,
        element("button", { class: "button" }, words.send),
      );
    } catch {
      say(words.failed);
    }
  });
}

// ---- Scripts that set cookies, loaded when the reader has agreed ----
function cookies() {
  const readers = window[Symbol.for("recto.readers")];
  if (!readers) return;
  assistants(readers);
  if (!config.asked) return;
  let banner = null, running = false;
  const load = () => {
    if (running) return;
    running = true;
    for (const address of config.asked.split(" "))
      document.head.append(element("script", { src: address, async: true }));
  };
  document.addEventListener("recto:cookies", ({ detail: allowed }) => {
    banner?.remove();
    // What runs already cannot be stopped but by a new start. And what is to run counts on one: many scripts begin when
    // the page has loaded, which a page does once. With Global Privacy Control, an answer is for this page alone.
    if (allowed && readers.global()) load();
    else if (allowed !== running) location.reload();
  });
  // A script may bring a banner of its own.
  document.addEventListener("recto:banner", () => banner?.remove());
  const ask = () => {
    if (banner?.isConnected || readers.ask()) return;
    const button = (text, allowed) => {
      const made = element("button", { type: "button", class: "button" }, text);
      made.addEventListener("click", () => readers.decide(allowed));
      return made;
    };
    banner = element(
      "section",
      { class: "consent", "aria-label": config.cookies },
      element("p", {}, config.cookiesText),
      element("div", { class: "consent-answers" }, button(config.accept, true), button(config.refuse, false)),
    );
    document.body.append(banner);
  };
  for (const button of $$("[data-ask-cookies]")) {
    button.hidden = false;
    button.addEventListener("click", ask);
  }
  const answer = readers.answer();
  if (answer === "yes" && !readers.global()) load();
  // Whoever has said in their browser that they do not want to be followed is not asked, but may choose below.
  else if (answer === null && !readers.global() && !readers.asks()) {
    if (config.scriptAsks === undefined) ask();
    // Some take their time, and some never come: readers may keep them away.
    else {
      const later = () => setTimeout(() => { if (readers.answer() === null && !readers.asks()) ask(); }, 3000);
      if (document.readyState === "complete") later();
      else addEventListener("load", later, { once: true });
    }
  }
}

// ---- Assistants that scripts have brought: a button for each ----
function assistants(readers) {
  const place = $(".search-button");
  if (!place) return;
  const show = () => {
    for (const button of $$("[data-assistant]")) button.remove();
    for (const assistant of readers.assistants) {
      const label = String(assistant?.label ?? "").slice(0, 40);
      if (!label || typeof assistant.open !== "function") continue;
      const button = element(
        "button",
        { type: "button", class: "icon-button assistant", "data-assistant": true, title: label },
        label,
      );
      button.addEventListener("click", () => assistant.open());
      place.after(button);
    }
  };
  document.addEventListener("recto:assistants", show);
  show();
}
