// The script of a page, and its digest: the policy of the page lets nothing else run.
#include "gradus/report/html_assets.hpp"

namespace gradus::report {

// Everything is on the page without it. It adds a bar to walk through the steps one by one (by
// buttons, or by the arrow keys, Home, End and Escape), headers that sort their table, the numbers
// of what the pointer is at, and buttons that enlarge a figure (then + - 0, the arrow keys, the
// wheel and dragging change the view) or save it as SVG and its numbers as CSV.
const std::string_view kScript = R"js(
(() => {
  const steps = [...document.querySelectorAll('.step')];
  const nav = document.querySelector('nav');
  if (!nav || steps.length < 2) return;
  const [first, back, forward, all] = nav.querySelectorAll('button');
  const place = nav.querySelector('output');
  const root = document.documentElement;
  let now = 0;
  let single = false;
  const show = (index, scroll) => {
    now = Math.max(0, Math.min(steps.length - 1, index));
    root.classList.toggle('single', single);
    steps.forEach((step, i) => step.classList.toggle('now', i === now));
    place.textContent = single ? `Step ${now + 1} of ${steps.length}` : `${steps.length} steps`;
    first.disabled = back.disabled = single && now === 0;
    forward.disabled = single && now === steps.length - 1;
    all.textContent = single ? 'Show all' : 'One at a time';
    all.setAttribute('aria-pressed', String(single));
    if (scroll && !single) steps[now].scrollIntoView({block: 'start'});
  };
  const go = (index) => { single = true; show(index, false); };
  first.onclick = () => go(0);
  back.onclick = () => go(now - 1);
  forward.onclick = () => go(single ? now + 1 : now);
  all.onclick = () => { single = !single; show(now, true); };
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = {ArrowLeft: now - 1, ArrowRight: single ? now + 1 : now,
                   Home: 0, End: steps.length - 1};
    if (event.key === 'Escape') { single = false; show(now, true); return; }
    if (!(event.key in moves) || (!single && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    go(moves[event.key]);
  });
  root.classList.add('live');
  show(0, false);
})();
(() => {
  const save = (name, type, text) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const csv = (table) => [...table.rows].map((row) =>
    [...row.cells].map((cell) => quoted(cell.textContent.trim())).join(',')).join('\n') + '\n';
  const enlarge = (figure, svg) => {
    const dialog = document.createElement('dialog');
    const bar = document.createElement('div');
    const place = svg.parentNode;
    const whole = svg.getAttribute('viewBox').split(' ').map(Number);
    let view = [...whole];
    const show = () => svg.setAttribute('viewBox', view.join(' '));
    const zoom = (by, x = .5, y = .5) => {
      const [w, h] = [view[2] / by, view[3] / by];
      if (w > whole[2] * 1.01 || w < whole[2] / 40) return;
      view = [view[0] + (view[2] - w) * x, view[1] + (view[3] - h) * y, w, h];
      show();
    };
    const move = (x, y) => { view[0] += x * view[2]; view[1] += y * view[3]; show(); };
    const reset = () => { view = [...whole]; show(); };
    for (const [label, action] of [['Zoom in', () => zoom(1.4)], ['Zoom out', () => zoom(1 / 1.4)],
                                   ['Whole', reset], ['Close', () => dialog.close()]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.onclick = action;
      bar.append(button);
    }
    bar.className = 'save';
    dialog.setAttribute('aria-label', figure.querySelector('figcaption').textContent);
    dialog.append(bar, svg);
    const keys = {'+': () => zoom(1.4), '-': () => zoom(1 / 1.4), '0': reset, ArrowLeft: () => move(-.1, 0),
                  ArrowRight: () => move(.1, 0), ArrowUp: () => move(0, -.1), ArrowDown: () => move(0, .1)};
    dialog.onkeydown = (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    };
    svg.onwheel = (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, (event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
    };
    svg.onpointerdown = (event) => svg.setPointerCapture(event.pointerId);
    svg.onpointermove = (event) => {
      if (!svg.hasPointerCapture(event.pointerId)) return;
      const box = svg.getBoundingClientRect();
      move(-event.movementX / box.width, -event.movementY / box.height);
    };
    dialog.onclose = () => {
      reset();
      svg.onwheel = svg.onpointerdown = svg.onpointermove = null;
      place.append(svg);
      dialog.remove();
    };
    document.body.append(dialog);
    dialog.showModal();
  };
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  const rounded = (text) => text !== '' && Number.isFinite(Number(text)) ? String(Number(Number(text).toPrecision(4))) : text;
  const watch = (figure, svg) => {
    for (const title of svg.querySelectorAll(':scope > * > title, :scope > * > * > title')) {
      title.parentNode.dataset.tip = title.textContent;
      title.remove();
    }
    const table = figure.querySelector('table');
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    const lines = [...svg.querySelectorAll('polyline.line[data-row]')];
    const spot = document.createElementNS(svg.namespaceURI, 'circle');
    spot.setAttribute('class', 'spot');
    spot.setAttribute('r', 4.5);
    const nearest = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let best = null;
      for (const line of lines) {
        [...line.points].forEach((point, i) => {
          const far = Math.hypot(point.x - at.x, point.y - at.y);
          if (far < 24 && (!best || far < best.far)) best = {far, point, row: rows[Number(line.dataset.row) + i]};
        });
      }
      return best;
    };
    svg.addEventListener('pointermove', (event) => {
      const own = event.target.closest('.hit[data-tip], rect[data-tip], circle[data-tip]');
      const near = own ? null : nearest(event);
      spot.remove();
      if (near) {
        spot.setAttribute('cx', near.point.x);
        spot.setAttribute('cy', near.point.y);
        svg.append(spot);
        const [name, x, y] = near.row;
        tip.textContent = `${name ? name + ': ' : ''}${heads[1]} ${rounded(x)}, ${heads[2]} ${rounded(y)}`;
      } else if (own) {
        tip.textContent = own.dataset.tip;
      }
      tip.hidden = !near && !own;
      (svg.closest('dialog') || document.body).append(tip);
      tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
      tip.style.top = event.clientY + 16 + 'px';
    });
    svg.addEventListener('pointerleave', () => { tip.hidden = true; spot.remove(); });
  };
  const drawn = (svg) => {
    const copy = svg.cloneNode(true);
    for (const one of copy.querySelectorAll('[data-tip]')) {
      const title = document.createElementNS(copy.namespaceURI, 'title');
      title.textContent = one.dataset.tip;
      one.removeAttribute('data-tip');
      one.append(title);
    }
    for (const spot of copy.querySelectorAll('.spot')) spot.remove();
    return copy.outerHTML;
  };
  for (const figure of document.querySelectorAll('figure')) {
    const name = figure.querySelector('figcaption').textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const bar = document.createElement('div');
    bar.className = 'save';
    const svg = figure.querySelector('svg');
    for (const [label, action] of [
      ['Enlarge', () => enlarge(figure, svg)],
      ['Save SVG', () => save(name + '.svg', 'image/svg+xml', drawn(svg))],
      ['Save CSV', () => save(name + '.csv', 'text/csv', csv(figure.querySelector('table')))]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.onclick = action;
      bar.append(button);
    }
    figure.append(bar);
    watch(figure, svg);
  }
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text);
    return text === '' || Number.isNaN(number) ? text : number;
  };
  const less = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0)
                                               : typeof a === 'number' ? -1 : 1;
  for (const table of document.querySelectorAll('table.sorts')) {
    const body = table.tBodies[0];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.tagName !== 'TH') return;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.onclick = () => {
        const up = head.getAttribute('aria-sort') !== 'ascending';
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        const rows = [...body.rows].sort((a, b) => less(value(a, column), value(b, column)) * (up ? 1 : -1));
        body.replaceChildren(...rows);
      };
    });
  }
})();
)js";

const std::string_view kScriptDigest = "KtNpQWTyS1CXwPXL4OdEwqIB9fGZtHnyXOWFjRcS+DA=";

}  // namespace gradus::report
