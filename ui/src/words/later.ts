// later loads a component when it is first shown, with the words that the first screens do without.
import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import { learn } from "./words";

export const later = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    const [component] = await Promise.all([load(), learn()]);
    return { default: component };
  });
