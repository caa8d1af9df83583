// A table that is wider than the page scrolls in its box: the box is a stop of the tab key, for readers without a mouse.
const makeStops = () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) box.tabIndex = 0;
};
new MutationObserver(makeStops).observe(document.body, {childList: true, subtree: true});
makeStops();
