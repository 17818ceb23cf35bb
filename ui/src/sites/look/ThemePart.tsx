import { Toggle } from "../../options/Toggle";
import { t } from "../../words/words";
import { Choices, ColourField, ListField } from "./controls";
import type { Look } from "./useLook";

const themes = ["clean", "muted", "bold", "gradient"] as const;
const corners = ["straight", "rounded", "circular"] as const;
const modes = ["light", "dark", "system"] as const;
// Fonts that the server has, under their names.
const fonts = [
  "Inter",
  "Roboto",
  "RobotoSlab",
  "OpenSans",
  "SourceSansPro",
  "Lato",
  "Ubuntu",
  "Raleway",
  "Merriweather",
  "Overpass",
  "NotoSans",
  "IBMPlexSerif",
  "Poppins",
  "FiraSans",
  "ABCFavorit",
];
const monospaced = [
  "JetBrainsMono",
  "FiraCode",
  "IBMPlexMono",
  "SourceCodePro",
  "RobotoMono",
  "SpaceMono",
  "DMMono",
  "Inconsolata",
];
// Names that are not written as their words are.
const odd: Record<string, string> = {
  ABCFavorit: "ABC Favorit",
  IBMPlexSerif: "IBM Plex Serif",
  IBMPlexMono: "IBM Plex Mono",
  JetBrainsMono: "JetBrains Mono",
  DMMono: "DM Mono",
};
const spelled = (font: string) => odd[font] ?? font.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

const named = (font: unknown) => (typeof font === "string" ? font : "");
const own = (font: unknown) => (typeof font === "object" && font !== null ? { none: t("siteLook.font.own") } : {});

// ThemePart is what everything on a site looks like.
export function ThemePart({ value, set }: Look) {
  const { styling, themes: mode } = value;
  const tinted = styling.tint !== undefined;
  return (
    <>
      <Choices
        label={t("siteLook.theme")}
        values={themes}
        value={styling.theme}
        named={(each) => t(`siteLook.theme.${each}`)}
        onChange={(theme) => set({ styling: { theme } })}
      />
      <ColourField
        label={t("siteLook.colour")}
        reads
        value={styling.primaryColor}
        onChange={(primaryColor) => set({ styling: { primaryColor } })}
      />
      <Toggle
        label={t("siteLook.tint")}
        checked={tinted}
        onChange={(on) => set({ styling: { tint: on ? { color: { ...styling.primaryColor } } : null } })}
      />
      {styling.tint && (
        <ColourField
          label={t("siteLook.tint.colour")}
          value={styling.tint.color}
          onChange={(color) => set({ styling: { tint: { color } } })}
        />
      )}
      <Toggle
        label={t("siteLook.match")}
        checked={styling.background === "match"}
        onChange={(on) => set({ styling: { background: on ? "match" : "plain" } })}
      />
      <ListField
        label={t("siteLook.font")}
        values={fonts}
        value={named(styling.font)}
        named={spelled}
        {...own(styling.font)}
        onChange={(font) => font && set({ styling: { font } })}
      />
      <ListField
        label={t("siteLook.font.headings")}
        values={fonts}
        value={named(styling.headingFont)}
        named={spelled}
        none={styling.headingFont ? t("siteLook.font.own") : t("siteLook.font.same")}
        onChange={(font) => set({ styling: { headingFont: font || null } })}
      />
      <ListField
        label={t("siteLook.font.code")}
        values={monospaced}
        value={named(styling.monospaceFont)}
        named={spelled}
        {...own(styling.monospaceFont)}
        onChange={(font) => font && set({ styling: { monospaceFont: font } })}
      />
      <Choices
        label={t("siteLook.corners")}
        values={corners}
        value={styling.corners}
        named={(each) => t(`siteLook.corners.${each}`)}
        onChange={(each) => set({ styling: { corners: each } })}
      />
      <Choices
        label={t("siteLook.mode")}
        values={modes}
        value={mode.default}
        named={(each) => t(`siteLook.mode.${each}`)}
        onChange={(each) => set({ themes: { default: each } })}
      />
      <Toggle
        label={t("siteLook.switch")}
        checked={mode.toggeable}
        onChange={(toggeable) => set({ themes: { toggeable } })}
      />
    </>
  );
}
