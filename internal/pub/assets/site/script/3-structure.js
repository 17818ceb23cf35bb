// Part of the script of published pages: all parts are joined, in the order of their names, into one function.
// Menus of sections and variants open and close by themselves; here only one is open at a time, and Escape or a click
// beside it closes it.

function menus() {
  const all = $$("details.menu");
  for (const menu of all) {
    menu.addEventListener("toggle", () => {
      if (menu.open) for (const other of all) if (other !== menu) other.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      $("summary", menu).focus();
    });
  }
  document.addEventListener("click", (event) => {
    for (const menu of all) if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
}
