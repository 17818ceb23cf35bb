// CodeMirror writes its own style sheets. The policy of the app allows no <style>, so they are adopted as objects.
import { StyleModule } from "style-mod";

const adopted = new Set<StyleModule>();

StyleModule.mount = (_root, modules) => {
  const added: CSSStyleSheet[] = [];
  for (const module of Array.isArray(modules) ? (modules as StyleModule[]) : [modules as StyleModule]) {
    if (adopted.has(module)) continue;
    adopted.add(module);
    const sheet = new CSSStyleSheet();
    // In a layer, where the app's own style sheets have the last word.
    sheet.replaceSync(`@layer codemirror { ${module.getRules()} }`);
    added.push(sheet);
  }
  // CodeMirror lists what may be overruled first; later sheets win.
  if (added.length > 0) document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...added];
};
