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
    menu.addEventListener("focusout", (event) => { if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false; });
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
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } });
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
      say(words.thanks).after(element("label", { for: "feedback-comment" }, words.tell), text, element("button", { class: "button" }, words.send));
    } catch {
      say(words.failed);
    }
  });
}

// ---- Scripts that set cookies, loaded when the reader has agreed ----
function cookies() {
  if (!config.asked) return;
  const load = () => {
    for (const address of config.asked.split(" ")) document.head.append(element("script", { src: address, async: true }));
  };
  const ask = () => {
    if ($(".consent")) return;
    const answer = (allowed) => {
      const before = remember("recto-cookies");
      remember("recto-cookies", allowed);
      banner.remove();
      // What runs already cannot be stopped but by a new start.
      if (allowed && before !== true) load();
      else if (!allowed && before === true) location.reload();
    };
    const button = (text, allowed) => {
      const made = element("button", { type: "button", class: "button" }, text);
      made.addEventListener("click", () => answer(allowed));
      return made;
    };
    const banner = element("section", { class: "consent", "aria-label": config.cookies },
      element("p", {}, config.cookiesText), element("div", { class: "consent-answers" }, button(config.accept, true), button(config.refuse, false)));
    document.body.append(banner);
  };
  for (const button of $$("[data-ask-cookies]")) {
    button.hidden = false;
    button.addEventListener("click", ask);
  }
  const chosen = remember("recto-cookies");
  if (chosen === true) load();
  else if (chosen !== false) ask();
}
