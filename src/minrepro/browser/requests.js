// Counts requests of the page as work, where nobody outside of it does.
(() => {
  const { live, later } = window.__minrepro_rest;
  if (live.requests) return;
  live.requests = true;
  const { fetch } = window;
  window.fetch = (...given) => {
    const token = {};
    live.set(token, 0);
    return fetch(...given).finally(() => live.delete(token));
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...given) {
    live.set(this, 0);
    this.addEventListener('loadend', () => live.delete(this));
    return send.apply(this, given);
  };
  const leave = () => { // to another page, unless that is a download
    const token = {};
    live.set(token, 0);
    later(() => live.delete(token), 1000);
  };
  const bare = (url) => url.split('#')[0];
  addEventListener('beforeunload', leave);
  addEventListener('submit', (event) => { if (!event.defaultPrevented) leave(); });
  addEventListener('click', (event) => {
    const link = event.defaultPrevented ? null : event.target.closest?.('a[href]');
    if (link && /^(_self|)$/.test(link.target) && bare(link.href) !== bare(location.href)) leave();
  });
})();
