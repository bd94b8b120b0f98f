import type { IncomingHttpHeaders } from 'node:http';

export const SESSION_COOKIE = 'signalbox';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Null without the cookie, or with two. */
export function presentedSession({ cookie }: IncomingHttpHeaders): string | null {
  if (cookie === undefined) return null;
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  const [token = ''] = values;
  return values.length === 1 && TOKEN.test(token) ? token : null;
}
