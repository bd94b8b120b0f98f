import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { ROUTES } from '../routes.js';
import { Dialog } from './dialog.js';

interface Choice {
  title: string;
  kind: string;
  path: string;
}

const PAUSE_MS = 100;
/** Where the portal shows what was found. */
const PAGES: Record<string, (id: string) => string> = {
  agent: (id) => `/agents/${id}`,
  agent_task: (id) => `/runs/task/${id}`,
  monitor: (id) => `/monitors/${id}`,
  test_set: (id) => `/test-sets/${id}`,
  test_run: (id) => `/test-runs/${id}`,
  workflow: (id) => `/workflows/${id}`,
  workflow_run: (id) => `/runs/workflow/${id}`,
  request: (id) => `/runs/request/${id}`,
  session: (id) => `/sessions/${encodeURIComponent(id)}`,
};

/** Finds pages, things by name, and anything by its id. */
export function Palette({ close }: { close: () => void }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Choice[]>([]);
  const [chosen, setChosen] = useState(0);

  const asked = text.trim().toLowerCase();
  const pages = ROUTES.filter(({ path, title }) => !path.includes(':') && title.toLowerCase().includes(asked));
  const choices = [...pages.map(({ path, title }) => ({ title, kind: 'page', path })), ...found].slice(0, 30);

  useEffect(() => {
    setChosen(0);
    setFound([]);
    if (asked === '') return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      api.search
        .find({ q: asked, limit: 20 } as never, { signal: stop.signal })
        .then((rows) =>
          setFound(
            (rows as { type: string; id: string | number; name: string | null }[]).flatMap(({ type, id, name }) => {
              const path = PAGES[type]?.(String(id));
              return path === undefined ? [] : [{ title: name ?? String(id), kind: type.replaceAll('_', ' '), path }];
            }),
          ),
        )
        .catch(() => undefined);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);

  function open(choice: Choice | undefined): void {
    if (!choice) return;
    close();
    go(choice.path);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(choices[chosen]);
    else if (step !== undefined) setChosen((chosen + step + choices.length) % Math.max(1, choices.length));
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title="Search" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={`choice-${chosen}`}
        placeholder="A page, a name, an id"
        value={text}
        autofocus
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul id="choices" role="listbox" aria-label="Found" class="palette">
        {choices.map((choice, n) => (
          <li
            key={choice.path + choice.kind}
            id={`choice-${n}`}
            role="option"
            aria-selected={n === chosen}
            onClick={() => open(choice)}
          >
            {choice.title} <span class="soft">{choice.kind}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p class="soft">Nothing has this name or id.</p>}
    </Dialog>
  );
}

const KEYS: [string, string][] = [
  ['Ctrl K  or  /', 'search'],
  ['?', 'these keys'],
  ['J K  or  ↓ ↑', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Space', 'peek at the row, in lists of runs'],
  ['X', 'choose the row, in lists of runs'],
  ['Shift with a move or a click', 'choose several'],
  ['E', 'next error, in a timeline'],
  ['← →', 'fold and unfold, in a timeline'],
  ['Ctrl Enter', 'send, in Try; run, on a workflow'],
  ['Ctrl S', 'save, on a workflow'],
  ['Escape', 'close'],
];

/** The keys of the portal. */
export const KeyHelp = ({ close }: { close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <div class="keys">
      {[...KEYS, ...ROUTES.filter(({ key }) => key).map(({ key, title }): [string, string] => [`g ${key}`, title])].map(
        ([keys, does]) => (
          <>
            <kbd>{keys}</kbd>
            <span>{does}</span>
          </>
        ),
      )}
    </div>
  </Dialog>
);
