import { useEffect, useState } from 'preact/hooks';
import { type Login, rememberedCompanies, signIn } from '../api/session.js';

/** In the fragment, which reaches no server and no log. */
function takeTicket(): string | null {
  const [, ticket] = /^#t=([\w-]+)$/.exec(location.hash) ?? [];
  if (ticket !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return ticket ?? null;
}

export function SignIn({ enter, company }: { enter: (login: Login) => void; company: number | null }) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const open = (given: { key: string } | { ticket: string }): void => {
    setIsBusy(true);
    setError(null);
    signIn(given)
      .then(enter, (failure: Error) => setError(failure.message || 'The platform cannot be reached.'))
      .finally(() => setIsBusy(false));
  };
  useEffect(() => {
    document.title = 'Sign in · Signalbox';
    const ticket = takeTicket();
    if (ticket !== null) open({ ticket });
  }, []);

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = String(new FormData(form).get('key') ?? '').trim();
    if (key !== '') open({ key });
    form.reset();
  };
  const others = rememberedCompanies().filter(({ id }) => id !== company);
  return (
    <main class="sign-in">
      <form class="card" onSubmit={onSubmit}>
        <h1>Sign in</h1>
        <p class="soft">
          Paste an API key of your company. It is used once and forgotten; this browser keeps a session of at most seven
          days. On the machine of the platform <code>npx signalbox portal</code> prints a link instead.
        </p>
        <label>
          <span>API key</span>
          <input name="key" type="password" autocomplete="off" required placeholder="svk_…" />
        </label>
        {error !== null && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <button class="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? 'One moment …' : 'Sign in'}
        </button>
        {others.map(({ id, name }) => (
          <a key={id} href={`/c/${id}/`}>
            Continue in {name}
          </a>
        ))}
      </form>
    </main>
  );
}
