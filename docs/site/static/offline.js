// Search shows an excerpt of each page that it finds, which a page opened from a folder may not load.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
