// Signs in on top of the screen, in a window that goes when it is done: what was typed here stays where it is.
import type { MouseEvent } from "react";
import { t } from "../words/words";

const address = `/signin?next=${encodeURIComponent("/app/signed-in")}`;

export function SignInLink({ className }: { className?: string | undefined }) {
  // Where no window may be opened the link leads to another tab.
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (window.open(address, "recto-sign-in", "popup,width=480,height=720")) event.preventDefault();
  };
  return (
    <a className={className} href={address} target="_blank" onClick={onClick}>
      {t("shell.signIn")}
    </a>
  );
}
