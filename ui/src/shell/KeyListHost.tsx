import { lazy, Suspense, useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { useShortcut } from "./useShortcut";

const KeyList = lazy(() => import("./KeyList").then(({ KeyList }) => ({ default: KeyList })));

// KeyListHost opens the list of keys, and does what keys do on every screen.
export function KeyListHost() {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  useShortcut("keyList", () => setOpen(true));
  useShortcut("keyListText", () => setOpen(true));
  useShortcut("home", () => void navigate({ to: "/" }));
  useShortcut("inbox", () => void navigate({ to: "/inbox" }));
  if (!open) return null;
  return (
    <Suspense>
      <KeyList onClose={() => setOpen(false)} />
    </Suspense>
  );
}
