import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { access, collections, organizations, spaces } from "../api/queries";
import { me } from "../change-request/draft";
import { type Change, type Loss, lossOf } from "./loss";
import {
  type Affected,
  collection,
  type Entry,
  everybodyIn,
  give,
  type Place,
  setLevel,
  takeBack,
  teamsOfMember,
} from "./queries";
import { space as spaceQuery } from "../space/queries";

// Step is one change, or several that go together, such as people who get a role.
export type Step =
  | Change
  | { of: "several"; role: NonNullable<Extract<Change, { of: "user" }>["role"]>; users: string[]; teams: string[] };

async function run(place: Place, step: Step): Promise<Affected | undefined> {
  if (step.of === "everybody") return setLevel(place, step.level);
  if (step.of === "several") {
    const named = {
      ...(step.users.length > 0 ? { users: step.users } : {}),
      ...(step.teams.length > 0 ? { teams: step.teams } : {}),
    };
    await give(place, { role: step.role, ...named });
  } else if (step.role === undefined) {
    await takeBack(place, step.of, step.id);
  } else {
    await give(place, { role: step.role, ...(step.of === "user" ? { users: [step.id] } : { teams: [step.id] }) });
  }
  return undefined;
}

const changesOf = (step: Step): Change[] =>
  step.of === "several"
    ? [
        ...step.users.map((id) => ({ of: "user" as const, id, role: step.role })),
        ...step.teams.map((id) => ({ of: "team" as const, id, role: step.role })),
      ]
    : [step];

// useAccess knows a place and the one who looks at it, and changes who may do what there. A change that takes something
// from its maker waits in asked until it is confirmed.
export function useAccess(place: Place) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ step: Step; loss: NonNullable<Loss> }>();
  const space = useQuery({ ...spaceQuery(place.id), enabled: place.kind === "space" });
  const box = useQuery({ ...collection(place.id), enabled: place.kind === "collection" });
  const subject = place.kind === "space" ? space : box;
  const may = subject.data?.permissions;
  const everybody = useQuery({ ...everybodyIn(place), enabled: may?.listPeople === true });
  const myself = useQuery(me).data?.id ?? "";
  const organization = subject.data?.organization ?? "";
  const myTeams = useQuery({
    ...teamsOfMember(organization, myself),
    enabled: may?.viewInviteLinks === true && myself !== "",
    retry: false,
  });
  const mine: Entry | undefined = everybody.data?.find(({ user }) => user.id === myself);
  const change = useMutation({
    mutationFn: (step: Step) => run(place, step),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: access.of(place.kind, place.id) });
      void queries.invalidateQueries({
        queryKey: place.kind === "space" ? spaces.one(place.id) : collections.one(place.id),
      });
      void queries.invalidateQueries({ queryKey: organizations.spaces(organization) });
      void queries.invalidateQueries({ queryKey: organizations.collections(organization) });
    },
  });
  const begin = (step: Step, after?: () => void) => {
    const loss = changesOf(step)
      .map((each) => lossOf(each, mine, myTeams.data ?? [], place))
      .find((each) => each !== undefined);
    if (loss) setAsked({ step, loss });
    else change.mutate(step, { onSuccess: () => after?.() });
  };
  const confirm = () => {
    if (asked) change.mutate(asked.step);
    setAsked(undefined);
  };
  // What a change would take from its maker is known once what gives them their access is.
  const ready = mine !== undefined && !myTeams.isPending;
  return {
    subject,
    everybody,
    mine,
    ready,
    organization,
    change,
    begin,
    asked,
    confirm,
    cancel: () => setAsked(undefined),
  };
}

export type AccessState = ReturnType<typeof useAccess>;
