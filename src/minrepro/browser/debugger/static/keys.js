// What the keyboard does, wherever the focus is, except where text is typed.
import { byId, made } from './dom.js';

const typed = (element) => element.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select');

export function useKeys(state, act) {
  const press = (id) => () => byId(id).click();
  const row = () => byId('events').querySelector('.here');
  const toggle = (mark) => () => row()?.querySelector(`[data-mark=${mark}]`).click();
  const keys = {
    j: ['the next step (or ↓)', () => act.move(1, true)], k: ['the previous step (or ↑)', () => act.move(-1, true)],
    y: ['play, pause', press('play')], g: ['on to the next breakpoint', press('run')], f: ['the event that fails', press('jump')],
    b: ['breakpoint at the event', () => row()?.querySelector('.stop').click()],
    p: ['pin the event: it is never removed', toggle('pin')], x: ['exclude the event', toggle('drop')],
    v: ['the picture, larger', () => act.enlarge()], '/': ['search the events', () => byId('find').focus()],
    o: ['only what is left', press('kept-only')],
    r: ['replay', press('observe')], m: ['reduce', press('reduce')], h: ['pause, continue', press('pause')],
    s: ['stop and keep the best so far', press('stop')], '?': ['these keys', () => byId('keys').showModal()],
  };
  byId('shortcuts').replaceChildren(made('tbody', {}, ...Object.entries(keys).map(([key, [text]]) =>
    made('tr', {}, made('td', {}, made('kbd', { textContent: key })), made('td', { textContent: text })))));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (typed(event.target)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const inList = byId('steps').contains(event.target);
    const name = inList && event.key === 'ArrowDown' ? 'j' : inList && event.key === 'ArrowUp' ? 'k' : event.key;
    if (!keys[name]) return;
    event.preventDefault();
    keys[name][1]();
  });
}

// Tabs by the arrow keys, as people expect of tabs.
export function useTabs(shown) {
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const choose = (tab) => {
    for (const other of tabs) {
      const on = other === tab;
      other.setAttribute('aria-selected', on);
      other.tabIndex = on ? 0 : -1;
      byId(other.getAttribute('aria-controls')).hidden = !on;
    }
    shown(tab.id);
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = tabs[(i + by + tabs.length) % tabs.length];
      next.focus();
      choose(next);
    });
  }
  return (id) => choose(byId(id));
}
