// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// What blocks can do with a script: filters, notes, players, formulas, diagrams.

// ---- Tables and card lists with a filter ----
function filters() {
  for (const block of $$("[data-table-search]")) {
    const rows = block.matches(".block-cards") ? $$(":scope > .card", block) : $$("tbody > tr", block);
    if (rows.length < 2 || $("[rowspan]", block)) continue;
    const input = element("input", { type: "search", "aria-label": labels.filter, placeholder: labels.filter });
    const field = element("div", { class: "filter" }, glyph("search"), input);
    const none = element("p", { class: "filter-none", hidden: true }, labels.noRows);
    const texts = rows.map((row) => row.textContent.toLocaleLowerCase());
    input.addEventListener("input", () => {
      const words = input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
      none.hidden = rows.some((row) => !row.hidden);
    });
    if (block.matches(".block-cards")) block.before(field);
    else block.prepend(field);
    (block.matches(".block-cards") ? block : $(".table-scroll", block)).after(none);
  }
}

// ---- Notes shown where they are mentioned ----
function notes() {
  let open = null;
  const close = () => {
    open?.remove();
    open = null;
  };
  document.addEventListener("click", (event) => {
    const mark = event.target.closest("a.annotation-ref");
    if (!mark) {
      if (open && !open.contains(event.target)) close();
      return;
    }
    const note = document.getElementById(decodeURIComponent(mark.hash.slice(1)));
    if (!note) return;
    event.preventDefault();
    const again = open?.dataset.of === mark.id;
    close();
    if (again) return;
    open = element("div", { class: "note-popover", role: "note", tabindex: "-1", "data-of": mark.id });
    open.append(...[...note.childNodes].map((node) => node.cloneNode(true)));
    document.body.append(open);
    const box = mark.getBoundingClientRect();
    const left = Math.max(12, Math.min(box.left + scrollX - 24, innerWidth - open.offsetWidth - 12));
    open.style.left = `${left}px`;
    open.style.top = `${box.bottom + scrollY + 8}px`;
    open.focus({ preventScroll: true });
    open.addEventListener("keydown", (press) => {
      if (press.key !== "Escape") return;
      close();
      mark.focus();
    });
  });
}

// ---- Images that are larger than they show ----
// An image stays one, with its description; a button behind it, which shows while it has the focus, enlarges it.
function zoomable(image) {
  if (
    image.classList.contains("is-zoomable") ||
    image.closest("a") ||
    image.naturalWidth < image.clientWidth * 1.2 ||
    !image.clientWidth
  )
    return;
  image.classList.add("is-zoomable");
  const button = element(
    "button",
    { type: "button", class: "zoom-open", "aria-label": image.alt ? `${labels.zoom}: ${image.alt}` : labels.zoom },
    labels.zoom,
  );
  image.after(button);
  const open = () => {
    const close = element(
      "button",
      { type: "button", class: "icon-button zoom-close", "aria-label": labels.close },
      glyph("close"),
    );
    const dialog = element(
      "dialog",
      { class: "zoom", "aria-label": image.alt || labels.zoom },
      close,
      element("img", { src: image.currentSrc || image.src, alt: image.alt }),
    );
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  image.addEventListener("click", open);
  button.addEventListener("click", open);
}
function zoom() {
  for (const image of $$(".image img, .block-diagram > img")) {
    if (image.complete) zoomable(image);
    else image.addEventListener("load", () => zoomable(image), { once: true });
  }
}

// ---- Players, loaded only when asked for ----
function embeds() {
  const allowed = (config.frames ?? "").split(" ").filter(Boolean);
  for (const block of $$("[data-embed-src]")) {
    const link = $(".embed-link", block);
    const source = new URL(block.dataset.embedSrc, location);
    if (!allowed.includes(source.origin)) continue;
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const frame = element("iframe", {
        src: source.href,
        title: $(".embed-title", block)?.textContent ?? "",
        allow: "fullscreen; picture-in-picture; encrypted-media",
        allowfullscreen: true,
        referrerpolicy: "strict-origin-when-cross-origin",
        loading: "lazy",
      });
      link.replaceWith(frame);
      frame.focus();
    });
  }
}

// ---- Math and diagrams: their code comes only to pages that have some ----
const load = (tag, attributes) => new Promise((resolve, reject) => {
  const node = element(tag, attributes);
  node.onload = resolve;
  node.onerror = reject;
  document.head.append(node);
});
async function math() {
  const formulas = $$("[data-tex]");
  if (!formulas.length || !config.katex) return;
  try {
    await Promise.all([
      load("script", { src: config.katex }),
      load("link", { rel: "stylesheet", href: config.katexStyle }),
    ]);
  } catch {
    return; // The source stays readable.
  }
  // Accents and brackets are drawings whose width is in a style attribute, which the page's policy forbids: as a
  // property it may be set.
  const set = Element.prototype.setAttribute;
  SVGElement.prototype.setAttribute = function (name, value) {
    if (name === "style") this.style.cssText = value;
    else set.call(this, name, value);
  };
  for (const node of formulas) {
    try {
      const span = element("span");
      katex.render(node.dataset.tex, span, {
        displayMode: node.dataset.display === "block",
        throwOnError: true,
        trust: false,
        maxExpand: 500,
        maxSize: 20,
      });
      node.replaceChildren(...span.childNodes);
      // What is wider than the page scrolls, and has to do so by keyboard as well.
      for (const wide of $$(".katex-display", node)) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    } catch {
      node.classList.add("is-broken");
    }
  }
  delete SVGElement.prototype.setAttribute;
}
function diagrams() {
  const blocks = $$("[data-diagram='mermaid']");
  if (!blocks.length || !config.diagram) return;
  const drawn = new Map(); // by block: its id and its source
  // Where a diagram was drawn before, its room is there before it is.
  const sizes = remember("recto-diagrams") ?? {};
  const key = (source) => String([...source].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) | 0, 7));
  // What a diagram adds to the height of its block: a padding and a border on each side.
  const around = 34;
  const shown = (block, [width, height]) => Math.ceil(height * Math.min(1, (block.clientWidth - around) / width));
  // Elsewhere its room is guessed from its kind and what it draws: the height without any, and that of each line that
  // counts; some are drawn in one width and become smaller with the page.
  const kinds = [
    [/^(flowchart|graph)\s+(LR|RL)/, 44, 25, /--|==|-\./],
    [/^(flowchart|graph)/, 70, 102, /--|==|-\./],
    [/^sequence/, 170, 48, /:/],
    [/^pie/, 450, 0, /:/, 560],
    [/^gantt/, 100, 30, /:/, 720],
    [/^class/, 242, 12],
    [/^state/, 105, 51, /--/],
    [/^er/, 237, 45],
    [/^mindmap/, 140, 56],
    [/^gitGraph/, 180, 0],
    [/^(journey|timeline)/, 537, 0, /:/, 800],
    [/^/, 300, 0],
  ];
  const guess = (block, source) => {
    const lines = source.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("%%"));
    const [, base, each, counts = /^/, width = 1] = kinds.find(([kind]) => kind.test(lines[0] ?? ""));
    const drawing = lines.slice(1).filter((line) => counts.test(line)).length;
    return shown(block, [width, Math.min(1200, base + each * drawing)]);
  };
  const reserve = (block, height) => {
    drawn.get(block).room = height;
    block.classList.add("is-drawn");
    block.style.minHeight = `${height + around}px`;
  };
  // A drawing that comes while its block is seen takes the room that it has, unless it would become too small to read:
  // what is being read stays where it is. It has its own height when the page is read again.
  const readable = 0.7;
  const place = (block, image, height) => {
    const { top, bottom } = block.getBoundingClientRect(), { room } = drawn.get(block);
    const seen = !isShown(block) && bottom > 0 && top < innerHeight && room >= readable * height;
    block.style.minHeight = seen ? `${room + around}px` : "";
    image.style.maxHeight = seen && room < height ? `${room}px` : "";
  };
  // The drawing takes the page's colours, as the plain sRGB that every library reads.
  const brush = element("canvas", { width: "1", height: "1" }).getContext("2d", { willReadFrequently: true });
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    brush.fillStyle = getComputedStyle(probe).color;
    brush.fillRect(0, 0, 1, 1);
    return `#${[...brush.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((v) => v.toString(16).padStart(2, "0"))
      .join("")}`;
  };
  const colours = () => ({
    bg: colour("bg"),
    subtle: colour("bg-subtle"),
    soft: colour("primary-soft"),
    line: colour("primary-line"),
    border: colour("border-strong"),
    heading: colour("heading"),
    muted: colour("muted"),
    hues: [
      "blue",
      "green",
      "orange",
      "purple",
      "red",
      "cyan",
      "pink",
      "yellow",
      "violet",
      "info",
      "success",
      "danger",
    ].map(colour),
  });
  // What is not drawn is read as it was written: when the page is printed, or when what draws does not come in time.
  const patience = 10_000;
  const showSource = (block) => {
    block.style.minHeight = "";
    block.classList.remove("is-drawn");
  };
  const isShown = (block) => $(":scope > img", block) !== null;
  const showSources = () => {
    for (const block of blocks) if (!isShown(block)) showSource(block);
  };
  addEventListener("beforeprint", showSources);
  // One frame draws all of them: its library is large.
  let frame, ready = false;
  const waiting = new Set();
  const draw = (block) => {
    waiting.add(block);
    if (!frame) {
      frame = element("iframe", {
        class: "drawing-frame",
        sandbox: "allow-scripts",
        title: labels.diagram,
        src: config.diagram,
        tabindex: "-1",
        "aria-hidden": "true",
      });
      document.body.append(frame);
      setTimeout(() => ready || showSources(), patience);
    }
    if (ready) send();
  };
  const send = () => {
    const chosen = { dark: root.dataset.theme === "dark", colours: colours() };
    for (const block of waiting) frame.contentWindow.postMessage({ ...drawn.get(block), ...chosen }, "*");
    waiting.clear();
  };
  // The frame is sandboxed without an origin of its own: only its window identifies it.
  addEventListener("message", (event) => {
    if (!frame || event.source !== frame.contentWindow) return;
    if (event.data === "ready") {
      ready = true;
      return send();
    }
    const { id, width, height, svg, text } = event.data ?? {};
    const block = blocks[id];
    if (!block) return;
    if (!(width > 0 && height > 0)) return showSource(block);
    const image = element("img", {
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
      width: String(width),
      height: String(height),
      alt: text ? `${labels.diagram}: ${text}` : labels.diagram,
    });
    place(block, image, shown(block, [width, height]));
    for (const each of $$(":scope > img, :scope > .zoom-open", block)) each.remove();
    block.append(image);
    block.classList.add("is-drawn");
    image.addEventListener("load", () => zoomable(image), { once: true });
    sizes[key(drawn.get(block).source)] = [width, height];
    remember("recto-diagrams", Object.fromEntries(Object.entries(sizes).slice(-100)));
  });
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "1200px" });
  blocks.forEach((block, id) => {
    const source = $("code", block).textContent;
    drawn.set(block, { id, source });
    const size = sizes[key(source)];
    reserve(block, size ? shown(block, size) : guess(block, source));
    near.observe(block);
  });
  new MutationObserver(() => {
    if (ready) for (const block of blocks) if (isShown(block)) draw(block);
  }).observe(root, { attributeFilter: ["data-theme"] });
}
