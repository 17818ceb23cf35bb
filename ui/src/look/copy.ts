// copy puts a text into the clipboard and reports whether it is there. Pages without a certificate, as those of a
// server in one's own network often are, have no clipboard: there the text is selected and copied as the browser's menu
// does.
export async function copy(text: string): Promise<boolean> {
  try {
    // It is missing there, whatever its type says.
    await (navigator.clipboard as Clipboard | undefined)!.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // A dialog keeps the focus to what is in it.
  (before?.closest("[role=dialog], [role=alertdialog]") ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
