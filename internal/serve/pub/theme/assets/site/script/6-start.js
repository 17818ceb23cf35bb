// Part of the script of published pages: all parts are joined, in the order of their names, into one function.

theme();
tabs();
reveal();
tree();
menus();
outline();
copying();
filters();
notes();
embeds();
zoom();
if (config.search) search();
prefetching();
if (root.classList.contains("theme-gradient")) scrolled();
announcement();
feedback();
cookies();
math();
diagrams();
addEventListener("hashchange", reveal);
