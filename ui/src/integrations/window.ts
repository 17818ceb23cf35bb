// openWindow opens a page of an integration's in a window of its own, which cannot reach the app. It returns false where
// the browser opens none. Nobody learns when such a window closes: it belongs to another site as soon as it is there.
export function openWindow(address: string): boolean {
  if (!/^https?:/i.test(address)) return false;
  const opened = window.open("about:blank", "_blank", "popup,width=680,height=760");
  if (!opened) return false;
  opened.opener = null;
  opened.location.href = address;
  return true;
}
