import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ROUTES } from '../routes.js';
import { Dialog } from './dialog.js';
import { type KeyHint, keysInView } from './keys.js';
import { HelpAnswer } from './palette/help-answer.js';
import { type Choice, useFound } from './palette/use-found.js';

export function Palette({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [question, setQuestion] = useState('');
  /** Enter was pressed before anything was found, as after a pasted id. */
  const [isAwaited, setIsAwaited] = useState(false);

  const asked = text.trim().toLowerCase();
  const { found, endpoints } = useFound(asked);
  const pages = ROUTES.filter(({ path, title }) => !path.includes(':') && title.toLowerCase().includes(asked)).map(
    ({ path, title }): Choice => ({ title, kind: 'page', open: { page: path } }),
  );
  const isQuestion = text.trim().includes(' ') || text.trim().endsWith('?');
  const help: Choice[] = isQuestion
    ? [{ title: text.trim(), kind: 'ask how it is done', open: { question: text.trim() } }]
    : [];
  const choices = [...pages, ...found, ...help, ...endpoints];
  useEffect(() => {
    if (isAwaited) open(found[0]);
  }, [isAwaited, found.length > 0]);

  function open(choice: Choice | undefined): void {
    if (!choice) return setIsAwaited(asked !== '');
    if ('question' in choice.open) return setQuestion(choice.open.question);
    close();
    if ('page' in choice.open) go(choice.open.page);
    else window.open(choice.open.outside, '_blank', 'noopener');
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(choices[chosen]);
    else if (step !== undefined) setChosen((chosen + step + choices.length) % Math.max(1, choices.length));
    else return;
    event.preventDefault();
  }
  useEffect(() => document.getElementById(`choice-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);

  return (
    <Dialog title="Search" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded={question === ''}
        aria-controls={question === '' ? 'choices' : undefined}
        aria-activedescendant={question === '' && choices.length > 0 ? `choice-${chosen}` : undefined}
        placeholder="A page, a name, an id, or how something is done"
        value={text}
        autofocus
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setQuestion('');
          // Not in an effect, which may come after the next key.
          setChosen(0);
          setIsAwaited(false);
        }}
        onKeyDown={onKeyDown}
      />
      {question === '' ? (
        <ul id="choices" role="listbox" aria-label="Found" class="palette">
          {choices.map((choice, n) => (
            <li
              key={`${choice.kind} ${Object.values(choice.open).join()}`}
              id={`choice-${n}`}
              role="option"
              aria-selected={n === chosen}
              onClick={() => open(choice)}
            >
              {choice.title} <span class="soft">{choice.kind}</span>
            </li>
          ))}
        </ul>
      ) : (
        <HelpAnswer question={question} />
      )}
      {question === '' && choices.length === 0 && <p class="soft">Nothing has this name or id.</p>}
    </Dialog>
  );
}

const KEYS: KeyHint[] = [
  ['Ctrl K  or  /', 'search'],
  ['?', 'these keys'],
  ['Escape', 'close'],
];

const Keys = ({ title, keys }: { title: string; keys: readonly KeyHint[] }) => (
  <section class="stack tight" aria-label={title}>
    <h2>{title}</h2>
    <div class="keys">
      {keys.map(([pressed, does]) => (
        <Fragment key={pressed + does}>
          <kbd>{pressed}</kbd>
          <span>{does}</span>
        </Fragment>
      ))}
    </div>
  </section>
);

export function KeyHelp({ close }: { close: () => void }) {
  const here = keysInView();
  const goes = ROUTES.filter(({ key }) => key).map(({ key, title }): KeyHint => [`g ${key}`, title]);
  return (
    <Dialog title="Keys" close={close}>
      {here.length > 0 && <Keys title="On this page" keys={here} />}
      <Keys title="Everywhere" keys={KEYS} />
      <Keys title="Go to" keys={goes} />
    </Dialog>
  );
}
