// Runs in every frame while a session is recorded: tells `__minrepro_record` of each step, before the page sees the event.
(() => {
  if (window.__minrepro_recording) return;
  window.__minrepro_recording = true;
  const say = (step) => window.__minrepro_record(JSON.stringify(step));
  const quoted = (text) => JSON.stringify(text);
  const NO_PLACE = 'button, a, summary, label, select, option, input[type=checkbox], input[type=radio], '
    + 'input[type=button], input[type=submit], input[type=reset]';

  const unique = (root, css) => {
    try { return root.querySelectorAll(css).length === 1; } catch (error) { return false; }
  };
  function css(element, root) {
    const parts = [];
    for (let here = element; here && here !== root && here.nodeType === 1; here = here.parentElement) {
      for (const name of ['data-testid', 'data-test', 'id', 'name']) {
        const value = here.getAttribute(name);
        const own = name === 'id' ? `#${CSS.escape(value || '')}` : `[${name}=${quoted(value)}]`;
        if (value && unique(root, own)) return [own, ...parts].join(' > ');
      }
      const tag = here.localName;
      const same = here.parentElement ? [...here.parentElement.children].filter((one) => one.localName === tag) : [];
      parts.unshift(same.length > 1 || /^(li|tr|td|option)$/.test(tag) ? `${tag}:nth-of-type(${same.indexOf(here) + 1})` : tag);
      if (!here.parentElement && here.parentNode === root) break;
    }
    return parts.join(' > ');
  }
  function path(element) {
    const parts = [];
    let here = element;
    while (here) {
      const root = here.getRootNode();
      parts.unshift(css(here, root));
      here = root.host;
    }
    return parts;
  }
  function selectors(element) {
    const found = [path(element)];
    const { nameOf, roleOf } = window.__minrepro;
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
  const target = (event) => {
    const element = event.composedPath()[0];
    const near = element.nodeType === 1 ? element : element.parentElement;
    return (near && near.closest(NO_PLACE)) || near;
  };
  const base = () => ({ target: 'main', ...frame() });
  const BUTTONS = ['primary', 'auxiliary', 'secondary', 'back', 'forward'];
  function place(element, event) {
    if (element.matches(NO_PLACE)) {
      const box = element.getBoundingClientRect();
      return { offsetX: Math.round(box.width / 2), offsetY: Math.round(box.height / 2), anywhere: true };
    }
    const box = element.getBoundingClientRect();
    return { offsetX: Math.round(event.clientX - box.x), offsetY: Math.round(event.clientY - box.y) };
  }
  function step(type, event) {
    const element = target(event);
    const made = { type, ...base(), selectors: selectors(element), ...place(element, event) };
    return event.button ? { ...made, button: BUTTONS[event.button] } : made;
  }

  let pressed = null; // where the mouse went down
  let dragged = false;
  let typing = 0; // keys whose input is still to come
  const FAR = 6;
  const on = (name, act) => window.addEventListener(name, (event) => { if (event.isTrusted) act(event); }, true);

  on('mousedown', (event) => { pressed = { step: step('click', event), x: event.clientX, y: event.clientY }; });
  on('mouseup', (event) => {
    dragged = Boolean(pressed) && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > FAR;
    if (dragged) {
      const end = step('click', event);
      say({ type: 'customStep', ...base(), name: 'drag', parameters: {
        from: pressed.step.selectors, fromOffset: [pressed.step.offsetX, pressed.step.offsetY],
        to: end.selectors, toOffset: [end.offsetX, end.offsetY] } });
    }
  });
  const clicked = (event) => {
    if (event.detail === 0 || dragged) return; // made by a key, a label or a drag
    // Where the button went down is what was clicked: the page may have changed since.
    if (event.detail % 2 === 1 || event.button) say(pressed && event.button !== 2 ? pressed.step : step('click', event));
  };
  on('click', clicked);
  on('auxclick', clicked);
  on('dblclick', (event) => say({ ...step('doubleClick', event), replaces: 1 }));
  on('keydown', (event) => {
    if (event.isComposing) return;
    typing = event.key.length === 1 || /^(Enter|Backspace|Delete)$/.test(event.key) ? 1 : typing;
    if (!event.repeat || event.key.length === 1) say({ type: 'keyDown', ...base(), key: event.key });
  });
  on('keyup', (event) => { typing = 0; say({ type: 'keyUp', ...base(), key: event.key }); });
  on('paste', (event) => {
    typing = 1;
    say({ type: 'customStep', ...base(), name: 'paste', parameters: { text: event.clipboardData.getData('text/plain') } });
  });
  on('input', (event) => {
    const element = target(event);
    if (typing || element.isContentEditable || /^(checkbox|radio)$/.test(element.type)) return;
    say({ type: 'change', ...base(), selectors: selectors(element), value: element.value });
  });
  let turning = 0;
  on('wheel', (event) => {
    const now = performance.now();
    const more = now - turning < 250;
    turning = now;
    say({ type: 'customStep', ...base(), name: 'wheel', joins: more,
      parameters: { at: [['html']], deltaX: event.deltaX, deltaY: event.deltaY } });
  });
})();
