// Runs before the page's own scripts: knows whether the page still has work to do. Exported tests carry it along.
(() => {
  if (window.__minrepro_rest) return;
  const DEEPEST = 4; // a timer that comes from a chain of so many timers is a clock, not work
  const live = new Map(); // what is still to be called, with the milliseconds it was put off for
  let depth = 0;
  const later = window.setTimeout.bind(window);
  const frame = window.requestAnimationFrame.bind(window);
  function counted(schedule, cancel, waits) {
    return [
      function (callback, ...rest) {
        if (typeof callback !== 'function') return schedule.call(window, callback, ...rest);
        const level = depth + 1;
        const token = {};
        const __minrepro_call = function (...args) {
          live.delete(token.id);
          const before = depth;
          depth = level;
          try { return callback.apply(this, args); } finally { depth = before; }
        };
        const id = schedule.call(window, __minrepro_call, ...rest);
        token.id = waits.name + id;
        if (level <= DEEPEST) live.set(token.id, waits.delay(rest));
        return id;
      },
      function (id) { live.delete(waits.name + id); return cancel.call(window, id); },
    ];
  }
  [window.setTimeout, window.clearTimeout] = counted(window.setTimeout, window.clearTimeout,
    { name: 't', delay: (rest) => Number(rest[0]) || 0 });
  [window.requestAnimationFrame, window.cancelAnimationFrame] = counted(window.requestAnimationFrame,
    window.cancelAnimationFrame, { name: 'f', delay: () => 0 });
  const macrotask = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  const pause = (ms) => new Promise((done) => later(done, ms));
  const frames = () => Promise.race([new Promise((done) => frame(() => frame(done))), pause(100)]);
  // Resolves to whether the page came to rest within so many milliseconds; timers longer than `timer` do not count.
  async function settle(limit, timer, thorough) {
    const end = performance.now() + limit;
    if (thorough) await frames();
    await macrotask();
    while ([...live.values()].some((delay) => delay <= timer)) {
      if (performance.now() > end) return false;
      await pause(3);
    }
    return true;
  }
  Object.assign(settle, { live, later });
  Object.defineProperty(window, '__minrepro_rest', { value: settle });
})();
