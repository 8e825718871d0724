// Runs in every frame while a session is recorded: tells `__minrepro_record` of each step, before the page sees the event.
(() => {
  if (window.__minrepro_recording) return;
  window.__minrepro_recording = true;
  const LARGEST = 2 ** 20; // bytes of a file that are kept in a recording
  const { path, nameOf, roleOf, isVisible } = window.__minrepro;
  const NO_PLACE = 'button, a, summary, label, select, option, input[type=checkbox], input[type=radio], '
    + 'input[type=button], input[type=submit], input[type=reset]';
  // A click there opens something of the browser's own; what was chosen in it is what counts.
  const CHOSEN = 'select:not([multiple]):not([size]), input[type=file], input[type=range], input[type=color], '
    + 'input[type=date], input[type=time], input[type=month], input[type=week], input[type=datetime-local]';

  function selectors(element) {
    const found = [path(element)];
    const name = nameOf(element);
    const alike = [...document.querySelectorAll('*')].filter((one) => roleOf(one) === roleOf(element)
      && nameOf(one) === name);
    if (name && name.length < 60 && roleOf(element) && alike.length === 1 && alike[0] === element) {
      found.push([`aria/${name}[role="${roleOf(element)}"]`]);
    }
    return found;
  }
  function frame() {
    const way = [];
    for (let here = window; here !== here.parent; here = here.parent) {
      let index = 0;
      while (here.parent.frames[index] !== here) index += 1;
      way.unshift(index);
    }
    return way.length ? { frame: way } : {};
  }
  const deepest = (event) => {
    const element = event.composedPath()[0];
    return element.nodeType === 1 ? element : element.parentElement || document.documentElement;
  };
  const target = (event) => deepest(event).closest(NO_PLACE) || deepest(event);
  const base = () => ({ target: 'main', ...frame() });
  const BUTTONS = ['primary', 'auxiliary', 'secondary', 'back', 'forward'];
  function place(element, event) {
    const box = element.getBoundingClientRect();
    if (element.matches(NO_PLACE)) {
      return { offsetX: Math.round(box.width / 2), offsetY: Math.round(box.height / 2), anywhere: true };
    }
    return { offsetX: Math.round(event.clientX - box.x), offsetY: Math.round(event.clientY - box.y) };
  }
  function step(type, event) {
    const element = target(event);
    const made = { type, ...base(), selectors: selectors(element), ...place(element, event) };
    return event.button > 0 ? { ...made, button: BUTTONS[event.button] } : made;
  }

  // What became visible while the mouse was where: an element that shows only then needs the mouse to go there first.
  let shown = new Map(); // each visible element with the look at which it was seen first
  let looks = [null]; // where the mouse was at each look
  let counted = 0; // looks before the last step
  let looked = 0;
  let moved = 0;
  function look(over) {
    looked = performance.now();
    const elements = document.getElementsByTagName('*');
    if (elements.length > 5000) return;
    looks.push(over);
    const now = new Map();
    for (const element of elements) {
      if (isVisible(element)) now.set(element, shown.get(element) ?? looks.length - 1);
    }
    shown = now;
  }
  function hovers(element, found = []) {
    const since = shown.get(element);
    if (since === undefined || since < counted) return found;
    for (const over of [looks[since - 1], looks[since]]) {
      const general = !over || /^(HTML|BODY)$/.test(over.tagName) || over === element || element.contains(over);
      if (!general && over.isConnected && !found.includes(over)) {
        hovers(over, found);
        if (!found.includes(over)) found.push(over);
      }
    }
    return found;
  }

  let unsaid = null; // a masked password that is being typed
  const tell = (made) => window.__minrepro_record(JSON.stringify(made));
  function say(made) {
    if (unsaid) {
      const element = unsaid;
      unsaid = null;
      tell({ type: 'change', ...base(), selectors: selectors(element), value: '********', masked: true });
    }
    tell(made);
    counted = looks.length;
    requestAnimationFrame(() => requestAnimationFrame(() => look(null)));
  }
  const on = (name, act) => window.addEventListener(name, (event) => { if (event.isTrusted) act(event); }, true);
  const secret = (element) => element.type === 'password' && !window.__minrepro_passwords;

  on('mouseover', (event) => {
    moved = performance.now();
    look(deepest(event));
  });
  new MutationObserver(() => { // what changes long after the mouse moved has another cause
    if (performance.now() - moved > 1000 && performance.now() - looked > 250) look(null);
  }).observe(document, { childList: true, subtree: true, attributes: true });

  let pressed = null; // where the mouse went down
  let dragged = false;
  let dropped = null; // where something was dropped last
  let typing = 0; // keys whose input is still to come
  const FAR = 6;
  function drag(end) {
    const { step: start } = pressed;
    say({ type: 'customStep', ...base(), name: 'drag', parameters: {
      from: start.selectors, fromOffset: [start.offsetX, start.offsetY],
      to: end.selectors, toOffset: [end.offsetX, end.offsetY] } });
  }
  on('pointerdown', (event) => {
    const before = hovers(target(event)).map((over) => ({ type: 'hover', ...base(), selectors: selectors(over) }));
    pressed = { step: step('click', event), x: event.clientX, y: event.clientY, at: event.timeStamp, before, down: true, said: false };
    dropped = null;
  });
  on('pointerup', (event) => {
    if (!pressed) return;
    pressed.down = false;
    dragged = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > FAR;
    if (dragged && !target(event).matches(CHOSEN)) drag(step('click', event));
  });
  on('drop', (event) => { dropped = step('click', event); });
  on('dragend', () => { if (pressed && dropped) drag(dropped); });
  const clicked = (event) => {
    if (event.detail === 0 || dragged || (pressed && pressed.said)) return; // made by a key, a drag or a label
    if (pressed) pressed.said = true;
    if (deepest(event).matches(CHOSEN) || event.button === 2) return;
    // Where the button went down is what was clicked: the page may have changed since.
    if (event.detail % 2 === 0 && !event.button) return;
    const held = pressed ? Math.round(event.timeStamp - pressed.at) : 0;
    if (pressed) pressed.before.forEach(say);
    say({ ...(pressed ? pressed.step : step('click', event)), ...(held > 350 ? { duration: held } : {}) });
  };
  on('click', clicked);
  on('auxclick', clicked);
  on('contextmenu', (event) => {
    if (event.button === 2) say({ ...(pressed ? pressed.step : step('click', event)), button: 'secondary' });
  });
  on('dblclick', (event) => { if (!dragged) say({ ...step('doubleClick', event), replaces: 1 }); });

  on('keydown', (event) => {
    const element = deepest(event);
    if (event.isComposing || /^(Dead|Process|Unidentified)$/.test(event.key)) return;
    const changes = event.key.length === 1 || /^(Enter|Backspace|Delete)$/.test(event.key);
    if (element.matches(CHOSEN) && !/^(Tab|Escape|Control|Shift|Alt|Meta)$/.test(event.key)) return;
    if (secret(element) && changes && event.key !== 'Enter') return;
    typing = changes ? 1 : typing;
    if (element.type === 'number' && /^Arrow(Up|Down)$/.test(event.key)) typing = 1;
    if (!event.repeat || !/^(Control|Shift|Alt|Meta)$/.test(event.key)) say({ type: 'keyDown', ...base(), key: event.key });
  });
  on('keyup', (event) => {
    const element = deepest(event);
    typing = 0;
    if (event.isComposing || /^(Dead|Process|Unidentified)$/.test(event.key)) return;
    if (element.matches(CHOSEN) && !/^(Tab|Escape|Control|Shift|Alt|Meta)$/.test(event.key)) return;
    if (secret(element) && event.key.length === 1) return;
    say({ type: 'keyUp', ...base(), key: event.key });
  });
  let composing = false;
  on('compositionstart', () => { composing = true; });
  window.addEventListener('compositionend', (event) => { // the browser's own is not always trusted
    if (!composing) return;
    composing = false;
    if (event.data && !secret(deepest(event))) {
      say({ type: 'customStep', ...base(), name: 'compose', parameters: { text: event.data } });
    }
    typing = 2; // its input may come after it
    setTimeout(() => { if (typing === 2) typing = 0; }, 0);
  }, true);
  on('paste', (event) => {
    typing = 1;
    if (secret(deepest(event))) return;
    const text = event.clipboardData.getData('text/plain');
    say({ type: 'customStep', ...base(), name: 'paste', parameters: { text }, instead: 1 });
    setTimeout(() => { typing = 0; }, 0);
  });
  on('input', (event) => {
    const element = target(event);
    if (secret(element)) { unsaid = element; return; }
    if (typing || event.isComposing || /^(checkbox|radio|file)$/.test(element.type)) return;
    if (/^delete|^history|^format|FromDrop$/.test(event.inputType || '') && element.isContentEditable) return;
    if (element.isContentEditable) {
      if (event.data) say({ type: 'customStep', ...base(), name: 'insert', parameters: { text: event.data } });
    } else if (!(pressed && pressed.down && element.type === 'number') && element.type !== 'range') {
      changed(element);
    }
  });
  function changed(element) {
    const value = element.multiple && element.options
      ? [...element.selectedOptions].map((option) => option.value).join('\n') : element.value;
    say({ type: 'change', ...base(), selectors: selectors(element), value });
  }
  on('change', async (event) => {
    const element = target(event);
    if (element.type === 'range') changed(element);
    if (element.type !== 'file') return;
    const files = await Promise.all([...element.files].map(async (file) => {
      const bytes = new Uint8Array(await file.slice(0, LARGEST).arrayBuffer());
      const content = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      return { name: file.name, type: file.type, content, ...(file.size > LARGEST ? { cut: true } : {}) };
    }));
    say({ type: 'customStep', ...base(), name: 'upload', parameters: { to: selectors(element), files } });
  });
  let turning = 0;
  on('wheel', (event) => {
    const now = performance.now();
    const more = now - turning < 250;
    turning = now;
    const at = step('click', event);
    say({ type: 'customStep', ...base(), name: 'wheel', joins: more, parameters: { at: at.selectors,
      offset: [at.offsetX, at.offsetY], deltaX: event.deltaX, deltaY: event.deltaY } });
  });
  for (const name of ['back', 'forward', 'go']) { // what the page does with its history comes back by itself
    const own = History.prototype[name];
    History.prototype[name] = function (...given) {
      tell({ type: 'history' });
      return own.apply(this, given);
    };
  }
  addEventListener('DOMContentLoaded', () => look(null));
})();
