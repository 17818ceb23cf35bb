// What scripts of integrations find on a page: window.GitBook, and the reader's answer about cookies. It is on pages
// with such scripts alone, and runs before them.
(() => {
  const root = document.currentScript.dataset.root;
  const tracking = document.currentScript.dataset.tracking !== "no";
  const cookie = "__gitbook_cookie_granted";
  const listeners = { load: new Set(), unload: new Set() };
  const tools = [], assistants = [];
  let loaded = document.readyState === "complete", banner = null;

  const run = (listener) => {
    try {
      listener();
    } catch (error) {
      reportError(error); // one script stops no other
    }
  };
  const fire = (type) => { for (const listener of [...listeners[type]]) run(listener); };
  const global = () => navigator.globalPrivacyControl === true;
  const answer = () =>
    document.cookie
      .split("; ")
      .find((each) => each.startsWith(`${cookie}=`))
      ?.slice(cookie.length + 1) ?? null;
  const decide = (allowed) => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${cookie}=${allowed ? "yes" : "no"}; path=${root}; max-age=31536000; samesite=lax${secure}`;
    document.dispatchEvent(new CustomEvent("recto:cookies", { detail: allowed }));
  };
  const remover = (list, one) => () => {
    const at = list.indexOf(one);
    if (at >= 0) list.splice(at, 1);
    document.dispatchEvent(new CustomEvent("recto:assistants"));
  };

  const api = {
    addEventListener(type, listener) {
      if (!listeners[type] || typeof listener !== "function") return;
      listeners[type].add(listener);
      // Who comes late is told of what has been.
      if (type === "load" && loaded) queueMicrotask(() => { if (listeners.load.has(listener)) run(listener); });
    },
    removeEventListener(type, listener) { listeners[type]?.delete(listener); },
    registerTool(tool) {
      tools.push(tool);
      return remover(tools, tool);
    },
    registerAssistant(assistant) {
      assistants.push(assistant);
      document.dispatchEvent(new CustomEvent("recto:assistants"));
      return remover(assistants, assistant);
    },
    registerCookieBanner(handler) {
      if (typeof handler !== "function") return;
      banner = handler;
      document.dispatchEvent(new CustomEvent("recto:banner"));
      // It is called whatever the answer is: it shows where to change one, and may want to speak of Global Privacy
      // Control.
      ask();
    },
    isCookiesTrackingDisabled() {
      if (!tracking || global()) return true;
      const said = answer();
      return said === null ? undefined : said !== "yes";
    },
    isGlobalPrivacyControlEnabled: global,
  };
  // ask lets the banner that a script has brought ask; false when there is none.
  const ask = () => {
    if (!banner) return false;
    run(() => banner({ onApprove: () => decide(true), onReject: () => decide(false) }));
    return true;
  };
  Object.defineProperty(window, "GitBook", { value: Object.freeze(api) });
  // For the script of the page.
  Object.defineProperty(window, Symbol.for("recto.readers"), {
    value: Object.freeze({ answer, decide, ask, asks: () => banner !== null, global, assistants }),
  });

  addEventListener("load", () => { loaded = true; fire("load"); });
  addEventListener("pagehide", () => fire("unload"));
  addEventListener("pageshow", (event) => { if (event.persisted) fire("load"); });
})();
