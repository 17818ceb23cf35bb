import { useEffect, useState } from "react";
import { Button } from "../../look/Button";
import { failureText } from "../../look/Failed";
import { Field } from "../../look/Field";
import { Toggle } from "../../options/Toggle";
import { t } from "../../words/words";
import { Choices } from "./controls";
import { Destination, type To } from "./Destination";
import styles from "./Look.module.css";
import type { Look } from "./useLook";

const kinds = ["info", "success", "warning", "danger"] as const;

// AnnouncementPart is the banner above everything. It is saved as a whole, so that readers see no half of it.
export function AnnouncementPart({ value, set, setNow }: Look) {
  const now = value.announcement ?? { enabled: false, message: "", style: "info" };
  const [message, setMessage] = useState(now.message);
  const [link, setLink] = useState(now.link?.title ?? "");
  const [to, setTo] = useState<To | null>((now.link?.to as To | undefined) ?? null);
  const [fault, setFault] = useState("");
  // What was undone, or saved elsewhere, shows.
  const known = JSON.stringify([now.message, now.link]);
  useEffect(() => {
    setMessage(now.message);
    setLink(now.link?.title ?? "");
    setTo((now.link?.to as To | undefined) ?? null);
  }, [known]);
  const save = async (part: { style?: string; enabled?: boolean }) => {
    setFault("");
    const next = {
      ...now,
      ...part,
      message: message.trim(),
      link: link.trim() && to ? { title: link.trim(), to } : null,
    };
    try {
      await setNow({ announcement: next });
    } catch (failure) {
      setFault(failureText(failure));
    }
  };
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        void save({ enabled: true });
      }}
    >
      {value.announcement && (
        <Toggle
          label={t("siteLook.announcement.on")}
          checked={now.enabled}
          onChange={(enabled) => set({ announcement: { ...now, enabled } })}
        />
      )}
      <Field
        label={t("siteLook.announcement.message")}
        hint={t("siteLook.announcement.hint")}
        value={message}
        required
        minLength={2}
        maxLength={128}
        autoComplete="off"
        error={fault}
        onChange={(event) => setMessage(event.target.value)}
      />
      <Choices
        label={t("siteLook.announcement.style")}
        values={kinds}
        value={now.style}
        named={(each) => t(`siteLook.announcement.${each}`)}
        onChange={(style) =>
          value.announcement
            ? set({ announcement: { ...now, style } })
            : message.trim() && void save({ style, enabled: true })
        }
      />
      <Field
        label={t("siteLook.announcement.link")}
        value={link}
        maxLength={64}
        autoComplete="off"
        onChange={(event) => setLink(event.target.value)}
      />
      {link.trim() && <Destination to={to} onChange={setTo} />}
      <div className={styles.line}>
        <Button type="submit" kind="primary">
          {t(value.announcement ? "place.save" : "siteLook.announcement.show")}
        </Button>
        {value.announcement && (
          <Button onClick={() => set({ announcement: null })}>{t("siteLook.announcement.remove")}</Button>
        )}
      </div>
    </form>
  );
}
