import { test } from "node:test";
import assert from "node:assert/strict";

/** Comments, on a space and on a change request: the same calls with another name. */
export function drive(world) {
  const scopes = {
    space: {
      at: (space) => [space],
      list: "listCommentsInSpace",
      post: "postCommentInSpace",
      get: "getCommentInSpace",
      put: "updateCommentInSpace",
      remove: "deleteCommentInSpace",
      replies: "listCommentRepliesInSpace",
      reply: "postCommentReplyInSpace",
      getReply: "getCommentReplyInSpace",
      putReply: "updateCommentReplyInSpace",
      removeReply: "deleteCommentReplyInSpace",
      commenters: "listCommentersInSpace",
    },
    "change request": {
      at: (space) => [space, "1"],
      list: "listCommentsInChangeRequest",
      post: "postCommentInChangeRequest",
      get: "getCommentInChangeRequest",
      put: "updateCommentInChangeRequest",
      remove: "deleteCommentInChangeRequest",
      replies: "listCommentRepliesInChangeRequest",
      reply: "postCommentReplyInChangeRequest",
      getReply: "getCommentReplyInChangeRequest",
      putReply: "updateCommentReplyInChangeRequest",
      removeReply: "deleteCommentReplyInChangeRequest",
      commenters: "listCommentersInChangeRequest",
    },
  };
  for (const [name, call] of Object.entries(scopes)) {
    test(`on a ${name}`, async () => {
      const { api, organization } = world;
      const { data: space } = await api.orgs.createSpace(organization, { title: "Talk", emoji: "💬" });
      await api.spaces.createChangeRequest(space.id, { subject: "Talk about it" });
      const at = call.at(space.id);
      const ask = async (operation, ...rest) => {
        // What this version of the client does not have is left to newer ones.
        if (!api.spaces[call[operation]]) return undefined;
        return (await api.spaces[call[operation]](...at, ...rest)).data;
      };
      const comment = await ask("post", { body: { markdown: "Is this *right*?" } });
      assert.match(comment.body.markdown ?? "", /right/);
      assert.equal(comment.status, "open");
      const asDocument = await ask("get", comment.id, { format: "document" });
      assert.equal(asDocument.body.document.object, "document");
      const resolved = await ask("put", comment.id, { resolved: true, addedReactions: ["1f44d"] });
      assert.equal(resolved.status, "resolved");
      assert.equal(resolved.reactions[0].count, 1);
      const open = await ask("list", { status: "open" });
      assert.equal(open.count, 0);
      const reply = await ask("reply", comment.id, { body: { markdown: "It is." } });
      await ask("getReply", comment.id, reply.id, { format: "markdown" });
      await ask("putReply", comment.id, reply.id, { body: { markdown: "It was." } });
      const replies = await ask("replies", comment.id);
      if (replies) assert.equal(replies.items[0].body.markdown?.trim(), "It was.");
      const commenters = await ask("commenters");
      if (commenters) assert.equal(commenters.count, 1);
      await ask("removeReply", comment.id, reply.id);
      await ask("remove", comment.id);
      const all = await ask("list", { status: "all", format: "markdown", order: "asc" });
      assert.equal(all.count, 0);
    });
  }
}
