// Where the app begins: the words of the person's language, then the screen of the address.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./look/tokens.css";
import "./look/base.css";
import { Failure } from "./api/client";
import { sizeFields } from "./look/fieldSizing";
import { makeRouter } from "./routes";
import { caches } from "./shell/connection";
import { preferred, speak } from "./words/words";

// What a client did wrong stays wrong; what the network or the server did may pass.
const again = (count: number, failure: Error) =>
  count < 2 && failure instanceof Failure && (failure.status === 0 || failure.status >= 500);
const queries = new QueryClient({ ...caches(), defaultOptions: { queries: { retry: again, staleTime: 30_000 } } });

sizeFields();
await speak(preferred(navigator.languages));
const root = document.getElementById("app");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={makeRouter(queries)} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
