// Looks for regular expressions beside the screen, where one that never ends can be stopped.
import { search, type Query } from "./search";

self.onmessage = (event: MessageEvent<{ texts: string[]; query: Query; replacement: string }>) => {
  const { texts, query, replacement } = event.data;
  self.postMessage(search(texts, query, replacement));
};
self.postMessage("ready");
