// What the keyboard does, wherever the focus is, except where text is typed.
import { byId, made } from './view.js';

const typed = (element) => element.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select');

export function useKeys(state, act) {
  const row = () => byId('events').children[state.focus];
  const press = (id) => () => byId(id).click();
  const move = (by) => () => {
    const rows = [...byId('events').children].filter((one) => !one.hidden);
    if (!rows.length) return;
    const at = rows.indexOf(row());
    const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : document.activeElement === rows[at] ? at + by : at))];
    if (row()) row().tabIndex = -1;
    state.focus = Number(next.dataset.number) - 1;
    next.tabIndex = 0;
    next.focus();
  };
  const toggle = (mark) => () => row()?.querySelector(`[data-mark=${mark}]`).click();
  const keys = {
    j: ['the next event (or ↓)', move(1)], k: ['the previous event (or ↑)', move(-1)],
    p: ['pin the event: it is never removed', toggle('pin')], x: ['exclude the event', toggle('drop')],
    b: ['breakpoint at the event', () => row()?.querySelector('.stop').click()],
    v: ['look at the page after the event', () => row()?.querySelector('.thumb')?.click()],
    '/': ['search the events', () => byId('find').focus()],
    r: ['replay', press('observe')], m: ['reduce', press('reduce')], h: ['pause, continue', press('pause')],
    s: ['stop and keep the best so far', press('stop')], n: ['next step', press('next')], g: ['run to breakpoint', press('run')],
    '?': ['these keys', () => act.help()],
  };
  byId('shortcuts').replaceChildren(...Object.entries(keys).map(([key, [text]]) =>
    made('tr', {}, made('td', {}, made('kbd', { textContent: key })), made('td', { textContent: text }))));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (typed(event.target)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const inList = byId('events').contains(event.target);
    const name = inList && event.key === 'ArrowDown' ? 'j' : inList && event.key === 'ArrowUp' ? 'k' : event.key;
    if (!keys[name]) return;
    event.preventDefault();
    keys[name][1]();
  });
}
