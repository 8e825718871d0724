// All events as one line of bars: how each stands, where the session fails, and which one is looked at.
import { byId } from './dom.js';

export const KINDS = { untested: 'not tested', needed: 'kept', rule: 'removed by a rule', test: 'removed by a check', drop: 'excluded' };
export const isLeft = (kind) => kind === 'untested' || kind === 'needed';

// How each event stands: before anything was tested nothing is said of it.
export function standing(state) {
  const { result, choices } = state.view;
  const dropped = new Set(choices ? choices.dropped : []);
  return state.events.map((_, i) => {
    if (dropped.has(i)) return 'drop';
    if (result) return result.reasons[i].kept ? 'needed' : result.reasons[i].rule ? 'rule' : 'test';
    return state.removed.has(i) ? state.removed.get(i).kind : state.needed.has(i) ? 'needed' : 'untested';
  });
}

export function showStrip(state) {
  const canvas = byId('strip');
  const count = state.events.length;
  canvas.hidden = byId('legend').hidden = !count;
  if (!count) return;
  const kinds = state.kinds;
  const scale = devicePixelRatio || 1;
  const width = Math.max(1, canvas.clientWidth);
  const height = canvas.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const paint = canvas.getContext('2d');
  paint.scale(scale, scale);
  // The legend has the colors, light or dark.
  const color = (name) => getComputedStyle(byId('legend').querySelector(`.${name}`), '::before').backgroundColor;
  const each = width / count;
  const gap = each > 3 ? 1 : 0;
  const failing = new Set(state.failing);
  const colors = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, color(kind)]));
  const tried = color('tried');
  kinds.forEach((kind, i) => {
    const tall = isLeft(kind);
    paint.fillStyle = colors[kind];
    paint.fillRect(i * each, tall ? 6 : 18, Math.max(each - gap, 0.75), tall ? 20 : 8);
    if (state.tried && state.tried.has(i)) {
      paint.fillStyle = tried;
      paint.fillRect(i * each, 28, Math.max(each - gap, 0.75), 3);
    }
  });
  for (const number of failing) {
    paint.fillStyle = color('bad');
    paint.fillRect((number - 0.5) * each - Math.max(each, 4) / 2, 0, Math.max(each, 4), 26);
  }
  if (state.here) {
    paint.fillStyle = color('looked');
    paint.fillRect((state.here - 0.5) * each - 4, 31, 8, 4);
  }
  const left = kinds.filter(isLeft).length;
  canvas.setAttribute('aria-label', `${left} of ${count} events are left`);
}

export const eventAt = (state, x) =>
  Math.min(state.events.length, 1 + Math.floor(x / byId('strip').clientWidth * state.events.length));
