// The failure, the rules, the progress and the result.
import { byId, made } from './view.js';

export function showFailures(state, chosen) {
  const seen = state.view.observed;
  const box = byId('failures');
  box.hidden = !seen;
  byId('part-row').hidden = true;
  if (!seen) {
    box.replaceChildren();
    return;
  }
  const before = state.view.choices.failure;
  const first = seen.failures.findIndex((failure) => failure.signature === before);
  const rows = seen.failures.map((failure, i) => {
    const choice = made('input', { type: 'radio', name: 'failure', value: failure.signature, checked: i === Math.max(0, first) });
    choice.addEventListener('change', chosen);
    const place = failure.number ? `at event ${failure.number}` : 'as the page opens';
    const often = seen.times > 1 ? `, in ${failure.shown} of ${seen.times} replays` : '';
    return made('label', {}, choice, ` ${place}${often}: `, made('b', { textContent: failure.signature }));
  });
  const text = seen.impossible ? `Cannot replay event ${seen.fired}: ${seen.impossible}` : 'No failure.';
  box.replaceChildren(made('legend', { textContent: 'Seen in the replay' }),
    ...(rows.length && !seen.impossible ? rows : [...rows, made('p', { textContent: text })]));
  if (!rows.length) byId('asking').open = true;
  chosen();
}

export function showRules(answer, ticked) {
  byId('preview').textContent = `${answer.before} → ${answer.after} events`;
  byId('rules-tab').hidden = !answer.rules.length;
  const head = made('tr', {}, ...['use', 'rule', 'kind', 'seen', 'confidence'].map((text) => made('th', { textContent: text })));
  byId('rules').replaceChildren(head, ...answer.rules.map((rule) => {
    const tick = made('input', { type: 'checkbox', checked: rule.used, aria: { label: `Use ${rule.rule}` } });
    tick.addEventListener('change', () => ticked(rule.rule, tick.checked));
    return made('tr', { className: rule.used ? '' : 'unused' }, made('td', {}, tick),
      made('td', {}, made('code', { textContent: rule.rule })), made('td', { textContent: rule.kind }),
      made('td', { textContent: `${rule.for}×` }), made('td', { textContent: rule.confidence.toFixed(3) }));
  }));
}

export function showProgress(state) {
  const { counts, view } = state;
  const seconds = Math.round((performance.now() - state.began) / 1000);
  const dropped = view.choices ? view.choices.dropped.length : 0;
  const whole = view.events.length - dropped;
  document.title = `${whole - state.removed.size} of ${whole} events: minrepro`;
  byId('progress').textContent = `${whole} → ${whole - state.removed.size} events; ${counts.tests} replays of `
    + `${counts.fired} events, ${counts.saved} cache hits; ${counts.fail} reproduced, ${counts.pass} did not, `
    + `${counts.unresolved} unresolved; ${seconds} s`;
}

export function showResult(result) {
  byId('result').hidden = !result;
  byId('which').disabled = !result;
  byId('which').value = result ? 'result' : 'original';
  if (!result) return;
  const end = result.why === 'finished' ? '' : ` (${result.why})`;
  byId('summary').textContent = `${result.reasons.length} → ${result.trace.length} events in ${result.tests} replays of `
    + `${result.events} events, ${result.saved} cache hits, ${result.seconds} s${end}`;
  const also = (text) => byId('summary').append(made('div', { className: 'why', textContent: text }));
  also(`Failure: ${result.failure}`);
  if (result.confirmed) also(`Confirmed in a fresh browser context, as were ${result.confirmed - 1} earlier results.`);
  if (result.failed < result.replays) also(`Flaky: ${result.failed} of ${result.replays} replays of the whole recording reproduced the failure.`);
  for (const other of result.others) also(`Also seen: ${other}`);
  byId('kept').replaceChildren(...result.trace.map((event) => {
    const reason = result.reasons[event.number - 1];
    const item = made('li', {}, event.text, made('div', { className: 'why', textContent: reason ? reason.text : '' }));
    if (event.changed) item.append(made('div', { className: 'why changed', textContent: event.changed }));
    return item;
  }));
}
