import { useEffect, useState } from 'preact/hooks';
import { currentLogin, type Login } from '../api/session.js';
import { exact } from '../rules/formats.js';

/** How long before its end a session is announced to end. */
const NOTICE_MS = 120_000;

/** A new session is opened beside this page, which keeps what is typed into it. */
export function SessionEnd({ login: { company_id, expires_at } }: { login: Login }) {
  const [endsAt, setEndsAt] = useState(expires_at);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsNear(true), Math.max(0, endsAt - NOTICE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [endsAt]);
  useEffect(() => {
    if (!isNear) return;
    const look = (): void =>
      void currentLogin(company_id).then(
        (login) => {
          if (!login || login.expires_at <= endsAt) return;
          setEndsAt(login.expires_at);
          setIsNear(false);
        },
        () => undefined,
      );
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isNear, endsAt]);
  if (!isNear) return null;
  return (
    <div class="page" role="alert">
      <p class="why odd">
        Your session ends at {exact(endsAt).slice(11, 16)}.{' '}
        <a href="/sign-in" target="_blank" rel="noopener">
          Sign in again in a new tab
        </a>{' '}
        and come back: this page stays as it is.
      </p>
    </div>
  );
}
