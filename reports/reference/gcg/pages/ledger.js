"use strict";
// Filters of the ledger, one a property of the rows; the choice is kept in the address.
(() => {
  const rows = [...document.querySelectorAll("#ledger tbody tr")], form = document.querySelector("#filters");
  const WORDS = { paper: "Paper", verdict: "Verdict", strong: "Strong baseline", data: "Data", robustness: "Robustness" };
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  const apply = () => {
    const wanted = [...chosen()];
    for (const row of rows) row.hidden = !wanted.every(([key, value]) => row.dataset[key] === value);
    document.querySelector("#count").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} claims`;
  };
  for (const [key, words] of Object.entries(WORDS)) {
    const label = document.createElement("label"), select = document.createElement("select");
    select.name = key;
    for (const value of ["", ...new Set(rows.map((row) => row.dataset[key]))]) select.add(new Option(value || "all", value));
    label.append(words + " ", select);
    form.append(label);
  }
  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const select of form.querySelectorAll("select")) select.value = given.get(select.name) ?? "";
    apply();
  };
  form.onchange = () => {
    history.replaceState(null, "", String(chosen()) ? "#" + chosen() : location.pathname);
    apply();
  };
  addEventListener("hashchange", read);
  read();
})();
