// Changes that were sent and not answered yet.
import { type MutationKey, useMutationState } from "@tanstack/react-query";

// usePending returns what the mutations of a key that are not answered yet were called with, the first first. A screen
// lays it over what the server has answered: what is chosen next begins there, and takes nothing back.
export const usePending = <Variables>(mutationKey: MutationKey): Variables[] =>
  useMutationState({
    filters: { mutationKey, status: "pending", exact: true },
    select: ({ state }) => state.variables as Variables,
  });
