// The emoji that people have put to a comment, and a few to choose from.
import { SmilePlus } from "lucide-react";
import { IconButton } from "../look/Button";
import { Menu, MenuItem } from "../look/Menu";
import { t } from "../words/words";
import type { Comment } from "./queries";
import styles from "./Post.module.css";

const offered = ["👍", "❤️", "🎉", "😄", "👀", "✅"];

type Props = { list: Comment["reactions"]; me: string; able: boolean; onReact: (emoji: string, on: boolean) => void };

export function Reactions({ list, me, able, onReact }: Props) {
  const reactions = list ?? [];
  if (reactions.length === 0) return null;
  return (
    <ul className={styles.reactions} aria-label={t("comment.reactions")}>
      {reactions.map(({ emoji, count, users }) => {
        const mine = (users ?? []).some(({ user }) => user.id === me);
        const names = (users ?? []).map(({ user }) => user.displayName).join(", ");
        return (
          <li key={emoji}>
            <button
              type="button"
              className={styles.reaction}
              disabled={!able}
              aria-pressed={mine}
              title={names}
              aria-label={t("comment.reaction", { emoji, names })}
              onClick={() => onReact(emoji, !mine)}
            >
              <span aria-hidden>
                {emoji} {count}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function React({ onReact }: { onReact: (emoji: string) => void }) {
  const trigger = (
    <IconButton label={t("comment.react")}>
      <SmilePlus />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {offered.map((emoji) => (
        <MenuItem key={emoji} onClick={() => onReact(emoji)}>
          {emoji}
        </MenuItem>
      ))}
    </Menu>
  );
}
