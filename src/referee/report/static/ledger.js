"use strict";
// The claims table: a filter a property of the rows, words of their claims, an order. The choice is in the address.
(() => {
  const rows = [...document.querySelectorAll("#ledger tbody tr")], form = document.querySelector("#filters");
  const CHOICES = { paper: "Paper", headline: "Verdict", verdict: "As published", fair: "Fair comparison", data: "Data" };
  const body = document.querySelector("#ledger tbody"), heads = [...document.querySelectorAll("th[data-sort]")];
  const narrow = matchMedia("(max-width: 720px)"), more = document.querySelector("#more"), FEW = 40;
  const ORDER = JSON.parse(document.querySelector("#ledger").dataset.order);
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  // Each word, in any order, in the claim's name or its sentence.
  const said = (row, words) => {
    const text = `${row.cells[0].textContent} ${row.cells[1].textContent}`.toLowerCase();
    return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  // Verdicts from the best to the worst, all else by its words; rows that are alike stay in the papers' order.
  const rank = (row, key) => key === "headline" ? ORDER.indexOf(row.dataset.headline) : row.dataset[key];
  const ordered = (sort) => {
    const key = sort.replace("-", ""), sign = sort.startsWith("-") ? -1 : 1;
    for (const head of heads) {
      const on = head.dataset.sort === (key || "claim");
      on ? head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending") : head.removeAttribute("aria-sort");
    }
    if (!key || key === "claim") return sign < 0 ? rows.toReversed() : rows;
    const less = (a, b) => { const [x, y] = [rank(a, key), rank(b, key)]; return x < y ? -sign : x > y ? sign : 0; };
    return rows.toSorted(less);
  };
  let all = false;
  const apply = () => {
    const { words = "", sort = "", ...wanted } = Object.fromEntries(chosen()), pairs = Object.entries(wanted);
    body.replaceChildren(...ordered(sort));
    const found = [...body.rows].filter((row) => pairs.every(([key, value]) => row.dataset[key] === value) && said(row, words));
    const shown = new Set(narrow.matches && !all ? found.slice(0, FEW) : found);
    for (const row of rows) row.hidden = !shown.has(row);
    more.hidden = shown.size === found.length;
    more.textContent = `Show the other ${found.length - shown.size} claims`;
    document.querySelector("#count").textContent = `${found.length} of ${rows.length} claims and theory checks`;
  };
  const add = (title, field) => {
    const label = document.createElement("label");
    label.append(title + " ", field);
    form.append(label);
  };
  for (const [key, title] of Object.entries(CHOICES)) {
    const values = new Set(rows.map((row) => row.dataset[key])), select = document.createElement("select");
    select.name = key;
    const order = [...values].sort(key === "headline" ? (a, b) => ORDER.indexOf(a) - ORDER.indexOf(b) : undefined);
    for (const value of ["", ...order]) select.add(new Option(value || "all", value));
    add(title, select);
  }
  add("Words", Object.assign(document.createElement("input"), { type: "search", name: "words", size: 16 }));
  const sort = document.createElement("select");
  sort.name = "sort";
  for (const head of heads) {
    const key = head.dataset.sort, title = head.textContent;
    sort.add(new Option(title.toLowerCase(), key === "claim" ? "" : key));
    sort.add(new Option(`${title.toLowerCase()}, reversed`, "-" + key));
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: title });
    button.onclick = () => {
      const now = sort.value || "claim";
      sort.value = now === key ? "-" + key : key === "claim" ? "" : key;
      form.onchange();
    };
    head.replaceChildren(button);
  }
  add("Sort by", sort);
  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const field of form.elements) field.value = given.get(field.name) ?? "";
    apply();
  };
  more.onclick = () => { all = true; apply(); };
  narrow.addEventListener("change", apply);
  form.onsubmit = () => false; // Enter in the words
  form.oninput = form.onchange = () => {
    history.replaceState(null, "", String(chosen()) ? "#" + chosen() : location.pathname);
    apply();
  };
  addEventListener("hashchange", read);
  read();
})();
