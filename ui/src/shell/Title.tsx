import { t } from "../words/words";

// Title names the screen in the browser's tab and history.
export function Title({ text }: { text: string }) {
  return <title>{text ? `${text} · ${t("app.name")}` : t("app.name")}</title>;
}
