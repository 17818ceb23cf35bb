// The frame that all screens stand in.
import { Outlet } from "@tanstack/react-router";

export function Shell() {
  return <Outlet />;
}
