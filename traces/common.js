/* What all pages share: colours, text, building blocks. A page says `data` before it. */
/* ---- colours: those of Okabe and Ito, which people see apart whatever their eyes; a ramp of lightness where there are more -- */

const okabeIto = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#8a8f9a"];
const dashes = ["", "7 3", "2 3", "9 3 2 3", "4 2 1 2 1 2", "12 4", "1 2", "6 6"];
const ramp = [[0, 34, 78], [66, 78, 108], [125, 124, 120], [186, 175, 107], [254, 232, 56]]; // like cividis
function colour(k, count) {
  if (count <= okabeIto.length) return okabeIto[k];
  const place = k / (count - 1) * (ramp.length - 1), low = Math.min(Math.floor(place), ramp.length - 2);
  return "rgb(" + ramp[low].map((from, i) => Math.round(from + (place - low) * (ramp[low + 1][i] - from))).join(",") + ")";
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

const escape = text => String(text).replace(/[&<>"]/g, sign => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign]);
const digits = (value, count) => value === null ? "–" : value === 0 ? "0" : Math.abs(value) >= 10 ** count ? value.toFixed(0) : String(Number(value.toPrecision(count)));
const percent = value => value === null ? "–" : (100 * value).toFixed(1) + " %";
const milliseconds = value => value === null ? "–" : digits(1e3 * value, 4);
function bytes(value) {
  if (value === null) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  for (; value >= 999.5 && unit < 4; unit++) value /= 1000;
  return (unit ? digits(value, 3) : value.toFixed(0)) + " " + units[unit];
}
function median(values) {
  const sorted = [...values].sort((a, b) => a - b), middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/* Three to six round numbers from 0 to a little beyond `most`. */
function ticks(most) {
  const rough = (most || 1) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(k => k * power).find(k => k >= rough);
  const list = [];
  for (let k = 0; k * step <= most * 1.0001; k++) list.push(k * step);
  return list;
}

/* ---- what is shown under the pointer: whatever has data-tip ------------------------------------------------------- */

const tip = document.getElementById("tip");
function showTip(event, text) {
  tip.style.display = text ? "block" : "none";
  if (!text) return;
  tip.textContent = text;
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + "px";
}
document.addEventListener("mousemove", event => {
  const element = event.target.closest && event.target.closest("[data-tip], canvas, .curves");
  showTip(event, !element ? "" : element.tipAt ? element.tipAt(event) : element.dataset.tip);
});

/* ---- building blocks ---------------------------------------------------------------------------------------------- */

function add(parent, html) {
  parent.insertAdjacentHTML("beforeend", html);
  return parent.lastElementChild;
}
function section(parent, title, sentence, wide) {
  const element = add(parent, `<section class="${wide ? "wide" : ""}"><h3>${title}</h3><p>${escape(sentence)}</p></section>`);
  element.dataset.section = title;
  return element;
}
