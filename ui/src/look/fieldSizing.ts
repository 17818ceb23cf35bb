// Fields that are as high as their text in browsers that do not know field-sizing: Firefox, and Safari before 26.2.
// What such a browser does not know it does not tell, so style sheets say it once more, as --field-sizing.

// sizeFields keeps the fields of the document as high as their text, where the browser does not do that by itself.
export function sizeFields(): void {
  if (CSS.supports("field-sizing", "content")) return;
  const widths = new WeakMap<Element, number>();
  const fit = (field: Element | null) => {
    if (!(field instanceof HTMLTextAreaElement)) return;
    if (getComputedStyle(field).getPropertyValue("--field-sizing").trim() !== "content") return;
    resized.observe(field);
    widths.set(field, field.clientWidth);
    if (field.clientWidth === 0) return; // It does not show.
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
  };
  // In another width the text has other lines, and what did not show has none.
  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) if (widths.get(target) !== target.clientWidth) fit(target);
  });
  document.addEventListener("input", ({ target }) => fit(target as Element), true);
  // React writes the value of a field into its text, too, so what is not typed is seen as well.
  new MutationObserver((changes) => {
    const fields = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const at = target instanceof Element ? target : target.parentElement;
      if (at?.localName === "textarea") fields.add(at);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.localName === "textarea") fields.add(node);
        else for (const field of node.getElementsByTagName("textarea")) fields.add(field);
      }
    }
    fields.forEach(fit);
  }).observe(document.documentElement, { childList: true, characterData: true, subtree: true });
}
