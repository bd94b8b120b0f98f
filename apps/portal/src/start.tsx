import { useEffect, useState } from 'preact/hooks';
import { App } from './app.js';
import { currentLogin, type Login, remember, rememberedCompanies } from './api/session.js';
import { SignIn } from './pages/sign-in.js';

const companyInAddress = (): number | null => Number(/^\/c\/(\d+)(?:\/|$)/.exec(location.pathname)?.[1] ?? 0) || null;

export function Start() {
  const [login, setLogin] = useState<Login | null | undefined>(undefined);
  const [error, setError] = useState<string | null>(null);
  const company = companyInAddress();

  const find = (): void => {
    setError(null);
    if (location.pathname === '/sign-in') return setLogin(null);
    const [latest] = rememberedCompanies();
    if (company === null && latest) return location.replace(`/c/${latest.id}/`);
    if (company === null) return setLogin(null);
    currentLogin(company).then(setLogin, () => setError('The platform cannot be reached.'));
  };
  useEffect(find, []);

  function enter(entered: Login): void {
    remember(entered);
    const next = new URLSearchParams(location.search).get('next') ?? '';
    const home = `/c/${entered.company_id}/`;
    // Only addresses of the signed-in company: never another site.
    location.replace(next.startsWith(home) ? next : company === entered.company_id ? location.href : home);
    if (company === entered.company_id) setLogin(entered);
  }

  if (error !== null)
    return (
      <div class="sign-in">
        <div class="card empty" role="alert">
          <p class="error">{error}</p>
          <button onClick={find}>Try again</button>
        </div>
      </div>
    );
  if (login === undefined) return null;
  return login ? <App login={login} /> : <SignIn enter={enter} company={company} />;
}
