// What is seen of a cover where it is cut: the picture is pulled up and down, or a slider is moved with the keyboard.
import { type PointerEvent, useId, useRef, useState } from "react";
import { t } from "../words/words";
import { percentOf, yPosOf } from "./cover";
import styles from "./Options.module.css";

type Props = {
  address: string | null;
  height: "short" | "normal" | "tall";
  yPos: number;
  onChange: (yPos: number) => void;
};

export function Focus({ address, height, yPos, onChange }: Props) {
  const [percent, setPercent] = useState(percentOf(yPos));
  const id = useId();
  const [pulled, setPulled] = useState(false);
  const from = useRef<{ y: number; percent: number; room: number } | null>(null);
  // It is kept when the hand lets go.
  const keep = (next = percent) => {
    if (next !== percentOf(yPos)) onChange(yPosOf(next));
  };
  const begin = (event: PointerEvent<HTMLImageElement>) => {
    const { currentTarget: image, clientY } = event;
    // So much of the picture is cut off; one that fits cannot be pulled.
    const room = (image.naturalHeight * image.clientWidth) / image.naturalWidth - image.clientHeight;
    if (event.button !== 0 || !(room > 1) || image.matches(":disabled *")) return;
    event.preventDefault();
    image.setPointerCapture(event.pointerId);
    from.current = { y: clientY, percent, room };
    setPulled(true);
  };
  const pull = (event: PointerEvent) => {
    if (!from.current) return;
    const moved = from.current.percent - (100 * (event.clientY - from.current.y)) / from.current.room;
    setPercent(Math.round(Math.max(0, Math.min(100, moved)) / 5) * 5);
  };
  const end = (keeps: boolean) => {
    if (!from.current) return;
    if (keeps) keep();
    else setPercent(from.current.percent);
    from.current = null;
    setPulled(false);
  };
  return (
    <>
      {address && (
        <img
          src={address}
          alt=""
          draggable={false}
          className={styles.cover}
          data-height={height}
          data-pulled={pulled}
          style={{ objectPosition: `50% ${percent}%` }}
          onPointerDown={begin}
          onPointerMove={pull}
          onPointerUp={() => end(true)}
          onPointerCancel={() => end(false)}
        />
      )}
      <div className={styles.group}>
        <label htmlFor={id} className={styles.label}>
          {t("options.cover.part")}
        </label>
        <input
          id={id}
          type="range"
          className={styles.range}
          min={0}
          max={100}
          step={5}
          value={percent}
          aria-valuetext={t("options.cover.part.value", { percent })}
          onChange={(event) => setPercent(Number(event.target.value))}
          onPointerUp={() => keep()}
          onKeyUp={() => keep()}
          onBlur={() => keep()}
        />
        {address && <p className={styles.note}>{t("options.cover.part.hint")}</p>}
      </div>
    </>
  );
}
