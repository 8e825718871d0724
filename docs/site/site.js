// What the theme makes on the fly gets a name, or a place in the order of the keyboard.
function name() {
  document.querySelectorAll("nav.md-code__nav").forEach((nav, number) => nav.setAttribute("aria-label", `Code block ${number + 1}`));
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => { wrap.tabIndex = 0; });
}
new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("load", name);
