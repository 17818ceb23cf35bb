// Where signing in on top of the app ends: the window goes, and what waited goes on in the one that opened it.
import { CircleCheck } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { buttonClass } from "../look/Button";
import { EmptyState } from "../look/EmptyState";
import { t } from "../words/words";
import { Title } from "./Title";

export function SignedIn() {
  // A browser closes only what a script has opened.
  useEffect(() => window.close(), []);
  const home = (
    <Link to="/" className={buttonClass("plain")}>
      {t("nothing.home")}
    </Link>
  );
  return (
    <main id="main" tabIndex={-1}>
      <Title text={t("shell.signedIn")} />
      <EmptyState icon={<CircleCheck />} title={t("shell.signedIn")} level={1} action={home}>
        {t("shell.signedIn.text")}
      </EmptyState>
    </main>
  );
}
