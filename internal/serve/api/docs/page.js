// Finds operations as you type, and marks the one that is read. The page works without.
const list = document.querySelector("nav");
const find = document.getElementById("find");
const none = document.querySelector(".none");
const groups = [...document.querySelectorAll("nav .group")].map((element) => ({
  element,
  entries: [...element.querySelectorAll("li")].map((item) => {
    const link = item.querySelector("a");
    return { item, link, text: `${link.textContent} ${link.dataset.words} ${element.querySelector("h2").textContent}`.toLowerCase() };
  }),
}));

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of groups) {
    let any = false;
    for (const entry of group.entries) {
      const fits = words.every((word) => entry.text.includes(word));
      entry.item.hidden = !fits;
      any ||= fits;
      shown += fits ? 1 : 0;
    }
    group.element.hidden = !any;
  }
  list.scrollTop = 0;
  none.textContent = shown === 0 ? "No operation has all of these words." : "";
}

find.closest(".find").hidden = false;
find.addEventListener("input", filter);
find.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    find.value = "";
    filter();
  } else if (event.key === "Enter") {
    groups.flatMap((group) => group.entries).find((entry) => !entry.item.hidden)?.link.click();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement !== find) {
    event.preventDefault();
    find.focus();
  }
});

const links = new Map(groups.flatMap((group) => group.entries).map((entry) => [entry.link.hash.slice(1), entry.link]));
// Scrolls the list alone: the page itself stays where its reader is.
function show(link) {
  const frame = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < frame.top + 80 || place.bottom > frame.bottom) {
    list.scrollTop += place.top - frame.top - frame.height / 2;
  }
}

let current;
const reading = new IntersectionObserver(
  (seen) => {
    const top = seen.filter((entry) => entry.isIntersecting).at(0);
    const link = top && links.get(top.target.id);
    if (!link || link === current) {
      return;
    }
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    show(link);
    current = link;
  },
  { rootMargin: "-15% 0px -75% 0px" },
);
document.querySelectorAll("article[id]").forEach((article) => reading.observe(article));
