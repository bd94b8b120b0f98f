import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { ApiError } from '@signalbox/sdk';
import { Link, Route, Router, Switch, useLocation } from 'wouter-preact';
import { clientOf } from './api/client.js';
import { NAMES } from './api/names.js';
import { PortalContext, usePortal } from './api/portal.js';
import { useRefresh } from './api/refresh.js';
import { type Login, remember, signOut } from './api/session.js';
import { Empty } from './parts/empty.js';
import { isForPage, isTyping } from './parts/keys.js';
import { Outdated } from './parts/outdated.js';
import { PageBoundary } from './parts/page-boundary.js';
import { KeyHelp, Palette } from './parts/palette.js';
import { SessionEnd } from './parts/session-end.js';
import { LeaveGuard } from './parts/unsaved.js';
import { GROUPS } from './page-route.js';
import { ROUTES } from './routes.js';

/** How long after G the key of a page is accepted. */
const GO_MS = 2000;
const SAID_MS = 4000;

const SETTINGS = { theme: ['system', 'light', 'dark'], density: ['comfortable', 'compact'] } as const;

function nextSetting(name: keyof typeof SETTINGS): string {
  const values: readonly string[] = SETTINGS[name];
  const now = document.documentElement.dataset[name] ?? values[0] ?? '';
  const next = values[(values.indexOf(now) + 1) % values.length] ?? '';
  document.documentElement.dataset[name] = next;
  localStorage.setItem(`signalbox.${name}`, next);
  return next;
}

function signInAgain(error: unknown): void {
  if (error instanceof ApiError && error.status === 401)
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** `route` is a pattern such as `/agents/:id`. */
function isAt(route: string, path: string): boolean {
  const [expected, given] = [route.split('/'), path.split('/')];
  return expected.length === given.length && expected.every((part, n) => part.startsWith(':') || part === given[n]);
}

export function App({ login }: { login: Login }) {
  const client = useMemo(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: signInAgain }),
        mutationCache: new MutationCache({ onError: signInAgain }),
        defaultOptions: {
          queries: {
            staleTime: 2000,
            retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
          },
        },
      }),
    [],
  );
  const [said, setSaid] = useState('');
  const silence = useRef<ReturnType<typeof setTimeout>>();
  const portal = useMemo(
    () => ({
      login,
      // Names live long in the cache; what was made or renamed here has its own when they are shown next.
      api: clientOf(login.company_id, () => void client.invalidateQueries({ queryKey: NAMES, refetchType: 'none' })),
      can: (scope: string) => login.scopes.includes(scope),
      say: (text: string) => {
        setSaid(text);
        clearTimeout(silence.current);
        silence.current = setTimeout(() => setSaid(''), SAID_MS);
      },
    }),
    [login],
  );
  useEffect(() => remember(login), [login]);
  return (
    <QueryClientProvider client={client}>
      <PortalContext.Provider value={portal}>
        <LeaveGuard>
          {(aroundNav) => (
            <Router base={`/c/${login.company_id}`} aroundNav={aroundNav}>
              <Frame login={login} />
            </Router>
          )}
        </LeaveGuard>
        <div class="toast" role="status">
          {said && <div class="card">{said}</div>}
        </div>
      </PortalContext.Provider>
    </QueryClientProvider>
  );
}

function Frame({ login }: { login: Login }) {
  const { say } = usePortal();
  const [path, go] = useLocation();
  const [dialog, setDialog] = useState<'palette' | 'keys' | null>(null);
  const [isRailOpen, setIsRailOpen] = useState(false);
  const [, redraw] = useState('');
  /** By the clock of events, so that a busy page does not shorten the limit. */
  const wentAt = useRef(-Infinity);
  const main = useRef<HTMLElement>(null);

  // Before paint, so that focus and keys are those of the visible page.
  useLayoutEffect(() => {
    const route = ROUTES.find((each) => isAt(each.path, path));
    document.title = `${route?.title ?? 'Signalbox'} · ${login.company_name}`;
    setIsRailOpen(false);
    main.current?.focus();
  }, [path]);

  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const opensPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (opensPalette || (event.key === '/' && !isTyping(event))) {
        event.preventDefault();
        return setDialog('palette');
      }
      // Keys do not leave the page behind a dialog.
      if (!isForPage(event)) return;
      if (event.key === '?') return setDialog('keys');
      const follows = event.timeStamp - wentAt.current < GO_MS;
      wentAt.current = event.key === 'g' && !follows ? event.timeStamp : -Infinity;
      const route = follows && ROUTES.find(({ key }) => key === event.key);
      if (route) go(route.path);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const leave = (): void =>
    void signOut(login.company_id).then(
      () => location.assign('/sign-in'),
      () => say('You are still signed in: the session could not be closed. Try again in a moment.'),
    );
  return (
    <div class={`frame ${isRailOpen ? 'open' : ''}`}>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Rail path={path} login={login} />
      <header class="top">
        <button
          class="menu-button"
          aria-label="Menu"
          aria-expanded={isRailOpen}
          onClick={() => setIsRailOpen(!isRailOpen)}
        >
          ☰
        </button>
        <button onClick={() => setDialog('palette')}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <span class="grow" />
        <span class="soft wide">
          {login.company_name} · {login.key_name}
        </span>
        <Refresh />
        <button class="plain wide" onClick={() => redraw(nextSetting('density'))}>
          Density
        </button>
        <button class="plain" onClick={() => redraw(nextSetting('theme'))}>
          Theme
        </button>
        <button class="plain" onClick={leave}>
          Sign out
        </button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <SessionEnd login={login} />
        <Outdated />
        {/* Another thing of the same kind is another page: it has nothing of what was typed into the former. */}
        <PageBoundary key={path}>
          <Switch>
            {ROUTES.map(({ path: route, page: Page }) => (
              <Route path={route} key={route}>
                <Page />
              </Route>
            ))}
            <Route>
              <div class="page">
                <h1>Not found</h1>
                <Empty title="There is no such page.">
                  <Link href="/">Home</Link>
                </Empty>
              </div>
            </Route>
          </Switch>
        </PageBoundary>
      </main>
      {dialog === 'palette' && <Palette close={() => setDialog(null)} />}
      {dialog === 'keys' && <KeyHelp close={() => setDialog(null)} />}
    </div>
  );
}

function Refresh() {
  const { name, next } = useRefresh();
  return (
    <button class="plain wide" onClick={next} title="How often lists look for news">
      Refresh: {name}
    </button>
  );
}

function Rail({ path, login }: { path: string; login: Login }) {
  const link = ({ path: to, title }: { path: string; title: string }) => (
    <Link key={to} href={to} aria-current={(to === '/' ? path === to : path.startsWith(to)) ? 'page' : undefined}>
      {title}
    </Link>
  );
  return (
    <nav class="rail" aria-label="Pages">
      <a class="brand" href={`/c/${login.company_id}/`}>
        <img src="/assets/icon.svg" width="20" height="20" alt="" /> Signalbox
      </a>
      {ROUTES.filter(({ path: to }) => to === '/').map(link)}
      {GROUPS.map((group) => (
        <div key={group}>
          <h2>{group}</h2>
          {ROUTES.filter((route) => route.group === group).map(link)}
        </div>
      ))}
    </nav>
  );
}
