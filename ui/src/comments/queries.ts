// What discussions ask of the API. One is that of a space, or that of a change request of it.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { all } from "../api/all";
import { api, done, type Schemas, taken } from "../api/client";
import { changeRequests, comments, organizations, spaces } from "../api/queries";

export type Comment = Schemas["Comment"];
export type Reply = Schemas["CommentReply"];
export type Scope = { space: string; change: number | undefined };

// NewComment is what a comment is posted with.
export type NewComment = {
  page?: string;
  node?: string;
  range?: { quote: string; before?: string; after?: string };
  suggestion?: { text: string };
  markdown: string;
};

// What others write is asked for this often while the window is seen, and when it is looked at again.
const often = { refetchInterval: 15_000, refetchOnWindowFocus: "always" } as const;

const inSpace = "/v1/spaces/{spaceId}/comments" as const;
const inRequest = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments" as const;
const of = ({ space }: Scope) => ({ spaceId: space });
const ofRequest = ({ space, change }: Scope) => ({ spaceId: space, changeRequestId: String(change) });

// threads asks for the comments of a discussion, the oldest first: on a page, or all.
export const threads = (scope: Scope, page?: string) =>
  queryOptions({
    queryKey: comments.list(scope.space, scope.change, page ?? ""),
    queryFn: () =>
      all<Comment>((piece) => {
        const query = { order: "asc" as const, ...(page ? { targetPage: page } : {}), ...piece };
        if (scope.change === undefined) return api.GET(inSpace, { params: { path: of(scope), query } });
        return api.GET(inRequest, { params: { path: ofRequest(scope), query } });
      }),
    ...often,
  });

// replies asks for the answers in a thread, the oldest first.
export const replies = (scope: Scope, comment: string) =>
  queryOptions({
    queryKey: comments.replies(scope.space, scope.change, comment),
    queryFn: () =>
      all<Reply>((query) => {
        const path = { commentId: comment };
        if (scope.change === undefined)
          return api.GET(`${inSpace}/{commentId}/replies`, { params: { path: { ...of(scope), ...path }, query } });
        return api.GET(`${inRequest}/{commentId}/replies`, {
          params: { path: { ...ofRequest(scope), ...path }, query },
        });
      }),
    ...often,
  });

type Change = { resolved?: boolean; markdown?: string; addedReactions?: string[]; removedReactions?: string[] };

const changed = ({ markdown, ...rest }: Change) => ({
  ...rest,
  ...(markdown === undefined ? {} : { body: { markdown } }),
});

// discussion are the writes of one. Each returns when the server has done it and what is shown was asked for anew.
export function discussion(queries: QueryClient, scope: Scope) {
  const fresh = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer;
    await queries.invalidateQueries({ queryKey: comments.of(scope.space, scope.change) });
    const counted =
      scope.change === undefined ? spaces.one(scope.space) : changeRequests.one(scope.space, scope.change);
    void queries.invalidateQueries({ queryKey: counted, exact: true });
    return result;
  };
  const main = scope.change === undefined;
  const one = (commentId: string) => ({ ...of(scope), commentId });
  const oneOf = (commentId: string) => ({ ...ofRequest(scope), commentId });
  return {
    post: ({ markdown, ...target }: NewComment) => {
      const body = { ...target, body: { markdown } };
      return fresh(
        taken(
          main
            ? api.POST(inSpace, { params: { path: of(scope) }, body })
            : api.POST(inRequest, { params: { path: ofRequest(scope) }, body }),
        ),
      );
    },
    change: (comment: string, change: Change) => {
      const body = changed(change);
      return fresh(
        taken(
          main
            ? api.PUT(`${inSpace}/{commentId}`, { params: { path: one(comment) }, body })
            : api.PUT(`${inRequest}/{commentId}`, { params: { path: oneOf(comment) }, body }),
        ),
      );
    },
    remove: (comment: string) =>
      fresh(
        done(
          main
            ? api.DELETE(`${inSpace}/{commentId}`, { params: { path: one(comment) } })
            : api.DELETE(`${inRequest}/{commentId}`, { params: { path: oneOf(comment) } }),
        ),
      ),
    apply: async (comment: string) => {
      const applied = await fresh(
        taken(api.POST(`${inRequest}/{commentId}/apply`, { params: { path: oneOf(comment) } })),
      );
      void queries.invalidateQueries({
        queryKey: changeRequests.one(scope.space, scope.change ?? ""),
        predicate: ({ queryKey }) => !queryKey.includes("edit"),
      });
      return applied;
    },
    reply: (comment: string, markdown: string) => {
      const body = { body: { markdown } };
      const at = `/{commentId}/replies` as const;
      return fresh(
        taken(
          main
            ? api.POST(`${inSpace}${at}`, { params: { path: one(comment) }, body })
            : api.POST(`${inRequest}${at}`, { params: { path: oneOf(comment) }, body }),
        ),
      );
    },
    changeReply: (comment: string, commentReplyId: string, change: Change) => {
      const body = changed(change);
      const at = `/{commentId}/replies/{commentReplyId}` as const;
      return fresh(
        taken(
          main
            ? api.PUT(`${inSpace}${at}`, { params: { path: { ...one(comment), commentReplyId } }, body })
            : api.PUT(`${inRequest}${at}`, { params: { path: { ...oneOf(comment), commentReplyId } }, body }),
        ),
      );
    },
    removeReply: (comment: string, commentReplyId: string) => {
      const at = `/{commentId}/replies/{commentReplyId}` as const;
      return fresh(
        done(
          main
            ? api.DELETE(`${inSpace}${at}`, { params: { path: { ...one(comment), commentReplyId } } })
            : api.DELETE(`${inRequest}${at}`, { params: { path: { ...oneOf(comment), commentReplyId } } }),
        ),
      );
    },
  };
}

export type Discussion = ReturnType<typeof discussion>;

export type Member = { id: string; name: string; photo?: string | undefined };

// members asks for the people of an organization, whom a comment can mention.
export const members = (organization: string) =>
  queryOptions({
    queryKey: [...organizations.all, organization, "members"],
    queryFn: async (): Promise<Member[]> => {
      const list = await all((query) =>
        api.GET("/v1/orgs/{organizationId}/members", { params: { path: { organizationId: organization }, query } }),
      );
      return list.map(({ user }) => ({ id: user.id, name: user.displayName, photo: user.photoURL }));
    },
    enabled: organization !== "",
    staleTime: 60_000,
  });
