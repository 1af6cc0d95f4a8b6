"use strict";

const SENT = 112; // side of the drawing that is sent, in pixels of one byte
const WIDTH = 22; // of the pen
const STEP = 7; // of the arrow keys
const paper = document.getElementById("paper");
const ink = paper.getContext("2d", { willReadFrequently: true });
const pens = new Map(); // pointers that are down, and where
let cursor = null; // where the keyboard's pen is
let drawn = 0, // strokes so far, so that an answer to an older drawing is known as such
  asking = false,
  asked = 0;

const bars = [...Array(10).keys()].map((digit) => {
  const row = document.getElementById("bars").insertRow();
  row.innerHTML = `<th scope="row">${digit}</th><td><progress max="1" value="0" aria-label="Probability of ${digit}"></progress></td><td>–</td>`;
  return row;
});

function stroke(from, to) {
  ink.strokeStyle = "#fff";
  ink.lineWidth = WIDTH;
  ink.lineCap = ink.lineJoin = "round";
  ink.beginPath();
  ink.moveTo(from.x, from.y);
  ink.lineTo(to.x + 0.01, to.y);
  ink.stroke();
  drawn++;
  ask();
}

function place(event) {
  const box = paper.getBoundingClientRect();
  const scale = paper.width / paper.clientWidth;
  return { x: (event.clientX - box.left - paper.clientLeft) * scale, y: (event.clientY - box.top - paper.clientTop) * scale };
}

paper.addEventListener("pointerdown", (event) => {
  paper.setPointerCapture(event.pointerId);
  pens.set(event.pointerId, place(event));
  stroke(place(event), place(event));
});
paper.addEventListener("pointermove", (event) => {
  if (!pens.has(event.pointerId)) return;
  stroke(pens.get(event.pointerId), place(event));
  pens.set(event.pointerId, place(event));
});
for (const name of ["pointerup", "pointercancel"]) paper.addEventListener(name, (event) => pens.delete(event.pointerId));

paper.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!way) return;
  event.preventDefault();
  const from = cursor ?? { x: paper.width / 2, y: paper.height / 2 };
  cursor = { x: inside(from.x + way[0] * STEP), y: inside(from.y + way[1] * STEP) };
  showCursor();
  if (event.shiftKey) stroke(from, cursor);
});

function showCursor() {
  const pen = document.getElementById("pen");
  pen.hidden = !cursor;
  if (cursor) Object.assign(pen.style, { left: `${cursor.x}px`, top: `${cursor.y}px` });
}

const inside = (value) => Math.min(paper.width - WIDTH, Math.max(WIDTH, value));

document.getElementById("clear").addEventListener("click", clear);
document.addEventListener("keydown", (event) => event.key === "Escape" && clear());

function clear() {
  ink.clearRect(0, 0, paper.width, paper.height);
  cursor = null;
  showCursor();
  asked = ++drawn;
  showPixels([]);
  show([]);
  trouble("", "");
}

// The drawing as grey bytes, row by row.
function grey() {
  const small = new OffscreenCanvas(SENT, SENT).getContext("2d");
  small.imageSmoothingQuality = "high";
  small.drawImage(paper, 0, 0, SENT, SENT);
  return small.getImageData(0, 0, SENT, SENT).data.filter((_, i) => i % 4 === 3);
}

async function ask() {
  if (asking || asked === drawn) return;
  asking = true;
  asked = drawn;
  const begin = performance.now();
  try {
    const body = new Blob([grey()]);
    const reply = await fetch("/classify", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });
    receive(reply.ok, await reply.json(), performance.now() - begin, asked);
  } catch (error) {
    trouble("The server does not answer", `${error.message}\nIs ./lab app 14 still running?`);
  }
  asking = false;
  ask();
}

function receive(well, answer, milliseconds, number) {
  if (drawn !== number && asked !== number) return; // cleared meanwhile
  if (!well) return trouble("The server refused", answer.error);
  show(answer.probabilities);
  showPixels(answer.pixels);
  document.getElementById("time").textContent = `${answer.launcher}, back end ${answer.backend}: ${milliseconds.toFixed(0)} ms from stroke to answer`;
  document.getElementById("kernel").textContent = `Each stroke is classified by ${answer.kernel}; save it, and the next stroke uses the new version.`;
  document.getElementById("says-title").textContent = `What ${answer.variant === "starter" ? "your" : `the ${answer.variant}'s`} kernels say`;
  const next = { wrong_answer: "These probabilities are wrong; run ./lab check 14\n\n", compile_error: "It does not compile\n\n" };
  trouble(answer.verdict === "pass" ? "" : answer.verdict.replaceAll("_", " "), (next[answer.verdict] ?? "") + (answer.message ?? ""));
}

function show(probabilities) {
  const valid = probabilities.filter((p) => p >= 0 && p < 1.005 && p !== null);
  const best = valid.length === 10 ? probabilities.indexOf(Math.max(...valid)) : -1;
  bars.forEach((row, digit) => {
    const p = probabilities[digit];
    row.className = digit === best ? "best" : "";
    row.querySelector("progress").value = Math.min(1, Math.max(0, p ?? 0));
    row.cells[2].textContent = percent(p);
  });
  const guess = document.getElementById("guess");
  guess.textContent = best >= 0 ? `This is a ${best}` : probabilities.length ? "These are no probabilities" : "Nothing drawn yet";
}

// Kernels that are wrong may leave anything behind.
function percent(p) {
  if (p === undefined) return "–";
  if (p === null) return "NaN";
  return p >= 0 && p < 1.005 ? `${(100 * p).toFixed(1)} %` : p.toPrecision(3);
}

function showPixels(pixels) {
  const context = document.getElementById("seen").getContext("2d");
  const image = context.createImageData(28, 28);
  pixels.forEach((value, i) => image.data.set([value, value, value, 255], 4 * i));
  context.putImageData(image, 0, 0);
}

function trouble(title, text) {
  document.getElementById("trouble").hidden = !title;
  document.getElementById("trouble-title").textContent = title;
  document.getElementById("trouble-text").textContent = text.trim();
}
