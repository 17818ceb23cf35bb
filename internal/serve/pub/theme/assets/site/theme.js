// Runs before the first paint: picks the theme, and tells the style sheet that scripts run.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("recto-theme");
  } catch {
    // Storage may be forbidden; the system's theme is right then.
  }
  const apply = () => {
    const wanted = root.dataset.fixedTheme ?? chosen ?? root.dataset.defaultTheme ?? "system";
    root.dataset.chosenTheme = wanted;
    root.dataset.theme = wanted !== "system" ? wanted : system.matches ? "dark" : "light";
  };
  root.classList.add("js");
  try {
    if (localStorage.getItem("recto-announcement") === JSON.stringify(root.dataset.announcement))
      root.classList.add("is-dismissed");
  } catch {
    // The announcement is then shown again.
  }
  system.addEventListener("change", apply);
  addEventListener("recto:theme", (event) => {
    chosen = event.detail;
    try {
      localStorage.setItem("recto-theme", chosen);
    } catch {
      // The choice then lasts for this page only.
    }
    apply();
  });
  apply();
})();
