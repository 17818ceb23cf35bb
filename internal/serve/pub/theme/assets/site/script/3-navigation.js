// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// The navigation tree, its drawer on small screens, the outline, and fetching ahead.

// ---- Navigation tree and drawer ----
function tree() {
  const side = $("#navigation");
  if (!side) return;
  side.addEventListener("click", (event) => {
    const toggle = event.target.closest(".tree-toggle");
    if (!toggle) return;
    const open = toggle.getAttribute("aria-expanded") !== "true";
    toggle.setAttribute("aria-expanded", String(open));
    document.getElementById(toggle.getAttribute("aria-controls")).hidden = !open;
    toggle.closest(".tree-item").classList.toggle("is-open", open);
  });
  const key = `recto-scroll:${config.home}`;
  const current = $('[aria-current="page"]', side);
  try {
    side.scrollTop = Number(sessionStorage.getItem(key)) || 0;
    addEventListener("pagehide", () => sessionStorage.setItem(key, String(side.scrollTop)));
  } catch {
    // The tree then starts at its top.
  }
  if (current) {
    const box = current.getBoundingClientRect();
    const frame = side.getBoundingClientRect();
    if (box.top < frame.top + 32 || box.bottom > frame.bottom - 48) {
      side.scrollTop += box.top - frame.top - frame.height / 2 + box.height / 2;
    }
  }
  drawer(side);
}
function drawer(side) {
  const opener = $(".menu-button");
  if (!opener) return;
  const behind = $$(".skip, .announcement, .top, .sections, .preview-note, .main, .bottom");
  const set = (open) => {
    side.classList.toggle("is-open", open);
    for (const part of behind) part.inert = open;
    opener.setAttribute("aria-expanded", String(open));
    hold(open);
    if (open) $("a, button", side)?.focus({ preventScroll: true });
    else opener.focus({ preventScroll: true });
  };
  opener.setAttribute("role", "button");
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    set(true);
  });
  opener.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    set(true);
  });
  for (const closer of $$("[data-close-navigation]")) {
    closer.addEventListener("click", (event) => {
      event.preventDefault();
      set(false);
    });
  }
  side.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && side.classList.contains("is-open")) set(false);
  });
  addEventListener("pagehide", () => { if (side.classList.contains("is-open")) set(false); });
  matchMedia("(min-width: 64rem)").addEventListener("change", (event) => {
    if (event.matches && side.classList.contains("is-open")) set(false);
  });
}

// ---- Outline ----
function outline() {
  const links = $$(".outline-aside a[href^='#']").filter((link) => link.closest(".outline-list"));
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (!links.length) return;
  const aside = $(".outline-aside");
  let queued = false;
  let active = null;
  const update = () => {
    queued = false;
    const line = Math.min(innerHeight * 0.3, 200);
    let index = -1;
    targets.forEach((target, i) => {
      if (target && target.getBoundingClientRect().top <= line) index = i;
    });
    if (innerHeight + scrollY >= root.scrollHeight - 4 && scrollY > 0) index = links.length - 1;
    const link = links[Math.max(index, 0)];
    if (link === active) return;
    active?.classList.remove("is-active");
    active?.removeAttribute("aria-current");
    active = link;
    active.classList.add("is-active");
    active.setAttribute("aria-current", "location");
    const at = active.offsetTop;
    if (at < aside.scrollTop + 40 || at > aside.scrollTop + aside.clientHeight - 80)
      aside.scrollTop = at - aside.clientHeight / 2;
  };
  const queue = () => {
    if (queued) return;
    queued = true;
    requestAnimationFrame(update);
  };
  addEventListener("scroll", queue, { passive: true });
  addEventListener("resize", queue);
  update();
}

// ---- Pages that the pointer is about to open ----
function prefetching() {
  if (navigator.connection?.saveData) return;
  const seen = new Set([location.pathname]);
  let timer = 0;
  document.addEventListener(
    "pointerover",
    (event) => {
      const link = event.target.closest?.("a[href]");
      clearTimeout(timer);
      if (
        !link ||
        link.origin !== location.origin ||
        !link.pathname.startsWith(config.home) ||
        link.pathname.includes("/~/") ||
        seen.has(link.pathname)
      )
        return;
      timer = setTimeout(() => {
        seen.add(link.pathname);
        document.head.append(element("link", { rel: "prefetch", href: link.pathname }));
      }, 80);
    },
    { passive: true },
  );
}
