import { Toggle } from "../../options/Toggle";
import { t } from "../../words/words";
import { Choices, ColourField, ListField } from "./controls";
import type { Look } from "./useLook";

const icons = ["regular", "solid", "duotone", "light", "thin"] as const;
const lists = ["default", "pill", "line"] as const;
const colours = ["infoColor", "successColor", "warningColor", "dangerColor"] as const;
// Colours of code, as the API names them (internal/publish/site/customization).
const codeThemes =
  "default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark catppuccin-frappe catppuccin-latte catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark everforest-light github-dark github-dark-default github-dark-dimmed github-dark-high-contrast github-light github-light-default github-light-high-contrast gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard gruvbox-light-medium gruvbox-light-soft houston kanagawa-dragon kanagawa-lotus kanagawa-wave laserwave light-plus material-theme material-theme-darker material-theme-lighter material-theme-ocean material-theme-palenight min-dark min-light monokai night-owl nord one-dark-pro one-light plastic poimandres red rose-pine rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light solarized-dark solarized-light synthwave-84 tokyo-night vesper vitesse-black vitesse-dark vitesse-light".split(
    " ",
  );
const spelled = (theme: string) => theme.replaceAll("-", " ");

// DetailsPart is what the smaller things of a site look like.
export function DetailsPart({ value, set }: Look) {
  const { styling } = value;
  const { codeTheme } = styling;
  return (
    <>
      <Toggle
        label={t("siteLook.shadows")}
        checked={styling.depth === "subtle"}
        onChange={(on) => set({ styling: { depth: on ? "subtle" : "flat" } })}
      />
      <Toggle
        label={t("siteLook.links")}
        checked={styling.links === "accent"}
        onChange={(on) => set({ styling: { links: on ? "accent" : "default" } })}
      />
      <Toggle
        label={t("siteLook.search")}
        checked={styling.search === "prominent"}
        onChange={(on) => set({ styling: { search: on ? "prominent" : "subtle" } })}
      />
      <Toggle
        label={t("siteLook.sidebar")}
        checked={styling.sidebar.background === "filled"}
        onChange={(on) => set({ styling: { sidebar: { background: on ? "filled" : "default" } } })}
      />
      <Choices
        label={t("siteLook.list")}
        values={lists}
        value={styling.sidebar.list}
        named={(each) => t(`siteLook.list.${each}`)}
        onChange={(list) => set({ styling: { sidebar: { list } } })}
      />
      <Choices
        label={t("siteLook.icons")}
        values={icons}
        value={styling.icons}
        named={(each) => t(`siteLook.icons.${each}`)}
        onChange={(each) => set({ styling: { icons: each } })}
      />
      {colours.map((each) => (
        <ColourField
          key={each}
          label={t(`siteLook.${each}`)}
          value={styling[each]}
          onChange={(colour) => set({ styling: { [each]: colour } })}
        />
      ))}
      {(["default", "openapi"] as const).flatMap((where) =>
        (["light", "dark"] as const).map((mode) => (
          <ListField
            key={where + mode}
            label={t(`siteLook.code.${where}.${mode}`)}
            values={codeThemes}
            value={codeTheme[where][mode]}
            named={spelled}
            onChange={(theme) => set({ styling: { codeTheme: { [where]: { ...codeTheme[where], [mode]: theme } } } })}
          />
        )),
      )}
    </>
  );
}
