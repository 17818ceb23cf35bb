// What a picker offers. Lists of choices are made in choices.tsx.
import type { ReactNode } from "react";

export interface Choice<T> {
  id: string;
  title: string;
  // note says more about it, such as the pages above a page.
  note?: string;
  icon?: ReactNode;
  // group is the heading that it stands below. Choices of one group follow each other.
  group?: string;
  value: T;
}

// Search finds the choices that answer what was typed.
export type Search<T> = (words: string) => Promise<Choice<T>[]> | Choice<T>[];
