// What is typed into a comment and not sent yet. It stays in this browser over a reload, and is gone once it is sent.
import { useState } from "react";

// Draft is a text in which people are named as "@Ada Lovelace"; people says who is meant.
export interface Draft {
  text: string;
  people: Record<string, string>;
}

const blank: Draft = { text: "", people: {} };
const nameOf = (key: string) => `recto.comment.${key}`;

function kept<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(nameOf(key));
    else localStorage.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still lets people write.
  }
}

// useKept is a value that stays over a reload, null for none.
export function useKept<T>(key: string): [T | null, (value: T | null) => void] {
  const [value, setValue] = useState(() => kept<T>(key));
  return [
    value,
    (next) => {
      setValue(next);
      keep(key, next);
    },
  ];
}

// useDraft is what was typed under a key, at first what is given.
export function useDraft(key: string, first: Draft = blank): [Draft, (draft: Draft | null) => void] {
  const [draft, set] = useKept<Draft>(key);
  return [draft ?? first, set];
}

const escaped = (name: string) => name.replace(/[\\[\]]/g, "\\$&");

// written is a draft as Markdown, with mentions for the people who are named in it.
export function written({ text, people }: Draft): string {
  const names = Object.keys(people)
    .filter((name) => text.includes(`@${name}`))
    .sort((a, b) => b.length - a.length);
  let rest = text;
  let made = "";
  while (rest !== "") {
    const name = rest.startsWith("@") ? names.find((each) => rest.startsWith(`@${each}`)) : undefined;
    if (name !== undefined) {
      made += `[${escaped(name)}](/users/${people[name]} "mention")`;
      rest = rest.slice(name.length + 1);
    } else {
      made += rest[0];
      rest = rest.slice(1);
    }
  }
  return made.trim();
}

const mention = /\[((?:\\.|[^\]\\])*)\]\(\/users\/(user_[0-9a-z]+) "mention"\)/gi;

// readable is Markdown as a draft shows it.
export function readable(markdown: string): Draft {
  const people: Record<string, string> = {};
  const text = markdown.replace(mention, (_all, label: string, id: string) => {
    const name = label.replace(/\\(.)/g, "$1");
    people[name] = id;
    return `@${name}`;
  });
  return { text, people };
}
