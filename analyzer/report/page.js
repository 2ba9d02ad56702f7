"use strict";

// Tables are sorted by a button in each heading: numbers by their full value, text as people order it, and what is
// missing last. Without scripts the tables stay as they are.
const order = new Intl.Collator(document.documentElement.lang, { numeric: true });

function keyOf(cell, numeric) {
  if (numeric) {
    return "value" in cell.dataset ? Number(cell.dataset.value) : null;
  }
  const text = cell.textContent;
  return text === "-" ? null : text;
}

function sortBy(table, head, column) {
  const down = head.getAttribute("aria-sort") === "ascending";
  const numeric = "numeric" in head.dataset;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, (row) => ({ row, key: keyOf(row.cells[column], numeric) }));
  rows.sort((one, other) => {
    if (one.key === null || other.key === null) {
      return (one.key === null) - (other.key === null);
    }
    const rise = numeric ? Math.sign(one.key - other.key) || 0 : order.compare(one.key, other.key);
    return down ? -rise : rise;
  });
  body.append(...rows.map(({ row }) => row));
  for (const other of table.tHead.rows[0].cells) {
    other.removeAttribute("aria-sort");
  }
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}

for (const table of document.querySelectorAll("table")) {
  if (table.tBodies[0].rows.length < 2) {
    continue;
  }
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, head, column));
    head.append(button);
  });
}

// A box that scrolls says so, and can be reached and scrolled by keyboard.
function watch(box) {
  const hint = box.nextElementSibling;
  const first = box.querySelector("thead th");
  const look = () => {
    const hidden = box.scrollWidth - box.clientWidth;
    if (hidden > 1) {
      box.tabIndex = 0;
    } else {
      box.removeAttribute("tabindex");
    }
    hint.hidden = hidden <= 1;
    // What is focused comes into view beside the first column, not below it.
    box.style.scrollPaddingLeft = first ? `${first.offsetWidth}px` : "";
    box.classList.toggle("more", hidden - box.scrollLeft > 1);
  };
  new ResizeObserver(look).observe(box);
  box.addEventListener("scroll", look, { passive: true });
}
document.querySelectorAll(".scroll").forEach(watch);

// The clipboard is there only where the browser trusts the page.
if (navigator.clipboard) {
  for (const box of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(box.querySelector("code").textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed here";
      }
    });
    box.append(button);
  }
}

// A link to something inside closed details opens them.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let box = target && target.closest("details"); box; box = box.parentElement.closest("details")) {
    box.open = true;
  }
}
addEventListener("hashchange", reveal);
reveal();
