// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// The theme switch, copy buttons and tabs.

// ---- Theme ----
function theme() {
  for (const button of $$(".theme-switch")) {
    const name = button.getAttribute("aria-label");
    const show = () => {
      button.title = `${name}: ${labels[`${root.dataset.chosenTheme}Theme`]}`;
      button.setAttribute("aria-label", button.title);
    };
    button.addEventListener("click", () => {
      // From the system's theme to the other one first, so that the first press shows.
      const other = matchMedia("(prefers-color-scheme: dark)").matches ? "light" : "dark";
      const order = ["system", other, other === "dark" ? "light" : "dark"];
      dispatchEvent(
        new CustomEvent("recto:theme", { detail: order[(order.indexOf(root.dataset.chosenTheme) + 1) % order.length] }),
      );
      show();
      announce(button.title);
    });
    show();
  }
}

// ---- Copying ----
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(await text);
  // Pages served without TLS have no clipboard interface.
  const area = element("textarea", { readonly: true, class: "visually-hidden" });
  area.value = await text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copy refused");
}
async function copyFrom(button, text) {
  const before = [...button.childNodes];
  let message = labels.copied;
  try {
    await copy(text());
  } catch {
    message = labels.failed;
  }
  announce(message);
  if (message !== labels.copied) return;
  button.classList.add("is-done");
  button.replaceChildren(glyph("check"), ...(button.dataset.copyPage ? [labels.copied] : []));
  setTimeout(() => {
    button.classList.remove("is-done");
    button.replaceChildren(...before);
  }, 1600);
}
const codeText = (block) => {
  const code = $("code", block).cloneNode(true);
  // The superscript numbers of annotations belong to the page, not to the code.
  for (const mark of $$(".annotation-ref", code)) mark.remove();
  return code.textContent.replace(/\n$/, "");
};
function copying() {
  for (const block of $$("[data-code]")) {
    const button = element(
      "button",
      { type: "button", class: "copy-button", "aria-label": labels.copy, title: labels.copy },
      glyph("copy"),
    );
    button.addEventListener("click", () => copyFrom(button, () => codeText(block)));
    block.append(button);
  }
  for (const prompt of $$("[data-prompt]")) {
    const button = element(
      "button",
      { type: "button", class: "copy-button prompt-copy", "aria-label": labels.copy, title: labels.copy },
      glyph("copy"),
    );
    button.addEventListener("click", () => copyFrom(button, () => codeText($("[data-code]", prompt))));
    $(".prompt-head", prompt)?.append(button);
  }
  for (const button of $$("[data-copy-page]")) {
    button.addEventListener("click", () => copyFrom(button, async () => {
      const answer = await fetch(button.dataset.copyPage);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.text();
    }));
  }
}

// ---- Tabs ----
const tabGroups = [];
function tabs() {
  const preferred = remember("recto-tabs") ?? [];
  for (const block of $$("[data-tabs]")) {
    const panels = $$(":scope > .tab", block);
    const list = element("div", { class: "tab-list", role: "tablist" });
    const buttons = panels.map((panel) => {
      const title = $(":scope > .tab-title", panel);
      const button = element("button", {
        type: "button",
        role: "tab",
        class: "tab-button",
        id: `${panel.id}-tab`,
        "aria-controls": panel.id,
        "data-tab": panel.dataset.tab,
      });
      button.append(...[...title.childNodes].map((node) => node.cloneNode(true)));
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", button.id);
      panel.tabIndex = 0;
      list.append(button);
      return button;
    });
    const select = (index, focus) => {
      buttons.forEach((button, i) => {
        button.setAttribute("aria-selected", String(i === index));
        button.tabIndex = i === index ? 0 : -1;
        panels[i].hidden = i !== index;
      });
      if (focus) buttons[index].focus();
    };
    const choose = (index) => {
      const slug = panels[index].dataset.tab;
      const top = list.getBoundingClientRect().top;
      selectEverywhere(slug);
      select(index, true);
      // Other tabs of the same name changed height: keep this one where the reader's eye is.
      scrollBy({ top: list.getBoundingClientRect().top - top, behavior: "instant" });
      remember("recto-tabs", [slug, ...(remember("recto-tabs") ?? []).filter((s) => s !== slug)].slice(0, 12));
    };
    list.addEventListener("click", (event) => {
      const index = buttons.indexOf(event.target.closest(".tab-button"));
      if (index >= 0) choose(index);
    });
    list.addEventListener("keydown", (event) => {
      const at = buttons.indexOf(document.activeElement);
      const forward = getComputedStyle(list).direction === "rtl" ? -1 : 1;
      const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: buttons.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      choose((to + buttons.length) % buttons.length);
    });
    block.prepend(list);
    block.classList.add("is-ready");
    const slugs = panels.map((panel) => panel.dataset.tab);
    tabGroups.push({ slugs, panels, select });
    const wanted = preferred.find((slug) => slugs.includes(slug));
    select(wanted === undefined ? 0 : slugs.indexOf(wanted));
  }
}
function selectEverywhere(slug) {
  for (const group of tabGroups) {
    const index = group.slugs.indexOf(slug);
    if (slug && index >= 0) group.select(index);
  }
}

// reveal opens whatever hides the target of the address: a tab, an expandable.
function reveal() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not an encoded fragment: look for it as it is.
  }
  const target = id && document.getElementById(id);
  if (!target) return;
  let hidden = false;
  for (let node = target; node; node = node.parentElement) {
    if (node.matches("details:not([open])")) {
      node.open = true;
      hidden = true;
    }
    if (node.matches(".tab[hidden]")) {
      const group = tabGroups.find((g) => g.panels.includes(node));
      group.select(group.panels.indexOf(node));
      hidden = true;
    }
  }
  if (hidden) target.scrollIntoView();
}
