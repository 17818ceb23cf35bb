// The Markdown of a comment as HTML. HTML in it stays text, addresses lead to the web or to mail, and pictures are not
// loaded from anywhere.
import MarkdownIt from "markdown-it";

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable(["image"]);
parser.validateLink = (url) => /^(https?:|mailto:|\/users\/)/i.test(url.trim());

parser.renderer.rules["link_open"] = (tokens, at, options, _env, self) => {
  const token = tokens[at]!;
  if (token.attrGet("href")?.startsWith("/users/")) {
    token.tag = "span";
    token.attrs = [["class", "mention"]];
    // The end of the link is the end of the mention.
    for (let depth = 0, i = at; i < tokens.length; i++) {
      depth += tokens[i]!.type === "link_open" ? 1 : tokens[i]!.type === "link_close" ? -1 : 0;
      if (depth === 0) {
        tokens[i]!.tag = "span";
        break;
      }
    }
  } else {
    token.attrSet("target", "_blank");
    token.attrSet("rel", "noopener noreferrer nofollow");
  }
  const sign = token.tag === "span" ? "@" : "";
  return self.renderToken(tokens, at, options) + sign;
};

export const render = (markdown: string): string => parser.render(markdown);
