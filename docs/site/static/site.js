// Search shows an excerpt of each page that it finds, which a page opened from a folder may not load.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// What the theme and the gallery leave without a name, or out of reach of the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  const each = (css, act) => document.querySelectorAll(css).forEach(act);
  each(".search-button-field", (button) => button.setAttribute("aria-label", button.textContent.replace(/\s+/g, " ").trim()));
  each("summary", (toggle) => {
    const above = toggle.parentElement.parentElement.querySelector("a");
    if (!toggle.textContent.trim() && above) toggle.setAttribute("aria-label", "Pages of " + above.textContent.trim());
  });
  each(".sphx-glr-thumbcontainer a", (link) => link.setAttribute("aria-label", link.textContent.trim()));
  each(".bd-article table.table, .bd-article pre", (wide) => {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  });
});
