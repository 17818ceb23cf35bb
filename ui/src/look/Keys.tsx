import styles from "./Keys.module.css";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

// spell writes keys as the person's keyboard has them: "Mod" is Command on Apple's machines and Ctrl elsewhere.
export function spell(keys: string, onApple = apple): string[] {
  const arrows = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
  const names: Record<string, string> = {
    ...arrows,
    ...(onApple ? { Mod: "⌘", Alt: "⌥", Shift: "⇧" } : { Mod: "Ctrl" }),
  };
  return keys.split(/[+ ]/).map((key) => names[key] ?? key);
}

// Keys shows a chord: <Keys keys="Mod+K" />.
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {spell(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
