"use strict";
// Filters of the ledger, one a property of the rows, and words of their claims; the choice is kept in the address.
(() => {
  const rows = [...document.querySelectorAll("#ledger tbody tr")], form = document.querySelector("#filters");
  const CHOICES = { paper: "Paper", headline: "Verdict", verdict: "As published", fair: "Fair comparison", data: "Data", depends: "Choices" };
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  // Each word, in any order, in the claim's name or its whole sentence, which its title has.
  const said = (row, words) => {
    const text = `${row.cells[0].textContent} ${row.cells[1].title}`.toLowerCase();
    return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  const apply = () => {
    const { words = "", ...wanted } = Object.fromEntries(chosen()), pairs = Object.entries(wanted);
    for (const row of rows)
      row.hidden = !(pairs.every(([key, value]) => row.dataset[key] === value) && said(row, words));
    document.querySelector("#count").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} claims`;
  };
  const add = (title, field) => {
    const label = document.createElement("label");
    label.append(title + " ", field);
    form.append(label);
  };
  for (const [key, title] of Object.entries(CHOICES)) {
    const values = new Set(rows.map((row) => row.dataset[key])), select = document.createElement("select");
    select.name = key;
    for (const value of ["", ...values]) select.add(new Option(value || "all", value));
    add(title, select);
  }
  add("Words", Object.assign(document.createElement("input"), { type: "search", name: "words", size: 16 }));
  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const field of form.elements) field.value = given.get(field.name) ?? "";
    apply();
  };
  form.onsubmit = () => false; // Enter in the words
  form.oninput = form.onchange = () => {
    history.replaceState(null, "", String(chosen()) ? "#" + chosen() : location.pathname);
    apply();
  };
  addEventListener("hashchange", read);
  read();
})();
