// Asks the server, with the token of the run, and says what is wrong where there is something.
import { byId } from './dom.js';

const token = new URLSearchParams(location.search).get('token') || '';
export const LOST = 'minrepro does not respond. Is `minrepro web ui` still running?';

export const addressOf = (path) => `${path}${path.includes('?') ? '&' : '?'}token=${encodeURIComponent(token)}`;

export async function ask(path, given, method = 'POST') {
  const headers = { 'X-Minrepro-Token': token };
  const body = typeof given === 'string' ? given : JSON.stringify(given || {});
  const sent = fetch(path, method === 'GET' ? { headers } : { method, headers, body });
  const answer = await sent.catch(() => { throw new Error(LOST); });
  if ((answer.headers.get('content-type') || '').startsWith('application/json')) {
    const data = await answer.json();
    if (data.error) throw new Error(data.error);
    return data;
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

export const get = (path) => ask(path, null, 'GET');

export const say = (text) => { byId('message').textContent = text; };

export async function doing(action) {
  say('');
  await doingQuietly(action);
}

// News must not wipe away a message that is still to be read.
export async function doingQuietly(action) {
  try { await action(); } catch (error) { say(error.message); }
}
