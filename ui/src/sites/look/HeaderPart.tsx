import { EmojiField } from "../../places/EmojiField";
import { SavedField } from "../../options/SavedField";
import { emojiText } from "../../space/tree";
import { t } from "../../words/words";
import { Choices, ColourField, PictureField } from "./controls";
import { type Entry, LinkList } from "./LinkList";
import styles from "./Look.module.css";
import type { Look } from "./useLook";

const presets = ["default", "bold", "contrast", "custom", "none"] as const;

// HeaderPart is the bar on top of a site and what stands for the site: name, logo, icon.
export function HeaderPart({ value, set, setNow }: Look) {
  const { header, favicon } = value;
  const custom = header.backgroundColor ?? { light: "#ffffff", dark: "#0c0e13" };
  return (
    <>
      <SavedField
        label={t("siteLook.name")}
        hint={t("siteLook.name.hint")}
        value={value.title ?? ""}
        maxLength={128}
        autoComplete="off"
        onSave={(title) => setNow({ title: title.trim() || null })}
      />
      <PictureField
        label={t("siteLook.logo")}
        hint={t("siteLook.logo.hint")}
        value={header.logo}
        onSave={(logo) => setNow({ header: { logo } })}
      />
      <div className={styles.group}>
        <EmojiField
          value={emojiText(favicon.emoji)}
          onChange={(emoji) => set({ favicon: emoji ? { emoji, icon: null } : { emoji: null } })}
        />
        <PictureField
          label={t("siteLook.favicon")}
          hint={t("siteLook.favicon.hint")}
          value={favicon.icon}
          onSave={(icon) => setNow({ favicon: icon ? { icon, emoji: null } : { icon: null } })}
        />
      </div>
      <Choices
        label={t("siteLook.header.preset")}
        values={presets}
        value={header.preset}
        named={(each) => t(`siteLook.header.${each}`)}
        onChange={(preset) =>
          set({
            header: { preset, ...(preset === "custom" && !header.backgroundColor ? { backgroundColor: custom } : {}) },
          })
        }
      />
      {header.preset === "custom" && (
        <>
          <ColourField
            label={t("siteLook.header.background")}
            value={custom}
            onChange={(backgroundColor) => set({ header: { backgroundColor } })}
          />
          <ColourField
            label={t("siteLook.header.link")}
            value={header.linkColor ?? { light: "#111111", dark: "#ffffff" }}
            onChange={(linkColor) => set({ header: { linkColor } })}
          />
        </>
      )}
      <LinkList
        label={t("siteLook.header.links")}
        about={header.preset === "none" ? t("siteLook.header.hidden") : t("siteLook.header.links.text")}
        links={(header.links ?? []) as Entry[]}
        shape="header"
        onChange={(links) => setNow({ header: { links: links as NonNullable<typeof header.links> } })}
      />
    </>
  );
}
