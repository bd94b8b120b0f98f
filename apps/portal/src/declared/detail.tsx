import { useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { Link, useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Fact, Facts } from '../parts/facts.js';
import { Failure } from '../parts/failure.js';
import { Loaded } from '../parts/loaded.js';
import { useQueryParams } from '../parts/param.js';
import { Question } from '../parts/question.js';
import { ScopedButton } from '../parts/scoped-button.js';
import { Tabs } from '../parts/tabs.js';
import { changeOf } from '../rules/item-form.js';
import type { Action, Declaration, Ids } from './declaration.js';
import { ItemFormDialog } from './item-form.js';

interface Props<T, M, C> {
  of: Declaration<T, M, C>;
  item: T;
  ids: Ids;
  changed: () => void;
}

const listOf = <T, M, C>({ path, listedAt = path }: Declaration<T, M, C>, ids: Ids): string => listedAt(ids);

export function DeclaredDetail<T, M, C>({ of, ids }: { of: Declaration<T, M, C>; ids: Ids }) {
  const { api } = usePortal();
  const cache = useQueryClient();
  return (
    <div class="page">
      <nav aria-label="Where this is">
        <Link href={listOf(of, ids)}>{of.title}</Link>
      </nav>
      <Loaded
        name={[of.title, 'one', ids]}
        load={(signal) => of.get(api, ids, signal)}
        {...(of.pollMs ? { pollMs: of.pollMs } : {})}
      >
        {(item) => (
          <Detail
            of={of}
            item={item}
            ids={ids}
            changed={() => void cache.invalidateQueries({ queryKey: [of.title] })}
          />
        )}
      </Loaded>
    </div>
  );
}

function Detail<T, M, C>(props: Props<T, M, C>) {
  const { of, item, changed } = props;
  const [params, change] = useQueryParams();
  const names = Object.keys(of.sections ?? {});
  const asked = params.get('tab') ?? '';
  const chosen = names.includes(asked) ? asked : (names[0] ?? '');
  const Section = of.sections?.[chosen];
  const note = of.note?.(item);
  // Filters of one tab do not apply to another.
  const choose = (tab: string): void =>
    change({ ...Object.fromEntries([...params.keys()].map((name) => [name, ''])), tab: tab === names[0] ? '' : tab });
  return (
    <>
      <Head {...props} />
      {note}
      <Facts>
        {of.facts(item).map(([label, value]) => (
          <Fact label={label} key={label}>
            {value}
          </Fact>
        ))}
      </Facts>
      {names.length > 1 && (
        <Tabs label={of.nameOf(item)} names={names} chosen={chosen} choose={choose}>
          {Section && <Section item={item} changed={changed} key={chosen} />}
        </Tabs>
      )}
      {names.length === 1 && Section && <Section item={item} changed={changed} />}
    </>
  );
}

function Head<T, M, C>({ of, item, ids, changed }: Props<T, M, C>) {
  const { api, login, say } = usePortal();
  const cache = useQueryClient();
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'delete' | Action<T> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => setOpen(null);
  const { edit, remove } = of;

  async function act({ act: does, said }: Action<T>): Promise<void> {
    await does?.(api, item);
    setError(null);
    if (said !== undefined) say(said);
    changed();
  }
  async function save(value: Record<string, unknown>, begun: Record<string, unknown>): Promise<void> {
    if (edit === undefined) return;
    const change = changeOf(Object.keys(edit.fields), begun, value);
    // The fields of the form are those of the input, which the declaration checks.
    if (Object.keys(change).length > 0) await edit.submit(api, item, change as C);
    close();
    say('Saved.');
    changed();
  }
  async function removeIt(isChosen: boolean): Promise<void> {
    await remove?.act(api, item, isChosen);
    go(listOf(of, ids));
    say(`${of.nameOf(item)} is deleted.`);
    cache.removeQueries({ queryKey: [of.title, 'one', ids] });
    await cache.invalidateQueries({ queryKey: [of.title] });
  }
  const actions = (of.actions ?? []).filter(({ isShown }) => isShown?.(item) ?? true);
  return (
    <>
      <div class="head">
        <h1>{of.nameOf(item)}</h1>
        {actions.map((action) => (
          <ScopedButton
            key={action.label}
            scope={action.scope}
            act={() => (action.dialog || action.says ? setOpen(action) : void act(action).catch(setError))}
          >
            {action.label}
          </ScopedButton>
        ))}
        {of.downloads?.(item).map(([label, path]) => (
          <a class="button" key={path} href={`/c/${login.company_id}/api/v1${path}`} download>
            {label}
          </a>
        ))}
        {edit && (edit.isShown?.(item) ?? true) && (
          <ScopedButton scope={edit.scope} act={() => setOpen('edit')}>
            Edit
          </ScopedButton>
        )}
        {remove && (remove.isShown?.(item) ?? true) && (
          <ScopedButton scope={remove.scope} kind="danger" act={() => setOpen('delete')}>
            Delete
          </ScopedButton>
        )}
      </div>
      <Failure error={error} />
      {open === 'edit' && edit && (
        <ItemFormDialog
          title={`Edit ${of.nameOf(item)}`}
          action="Save"
          form={edit}
          given={item as Record<string, unknown>}
          submit={save}
          close={close}
        />
      )}
      {open === 'delete' && remove && (
        <Question
          title={`Delete ${of.nameOf(item)}?`}
          action={`Delete the ${of.noun}`}
          act={({ choice }) => removeIt(choice === 'on')}
          close={close}
        >
          <p>{remove.says}</p>
          {remove.choice !== undefined && (
            <label class="check-line">
              <input type="checkbox" name="choice" /> {remove.choice}
            </label>
          )}
        </Question>
      )}
      {open !== null && typeof open === 'object' && open.says && (
        <Question
          title={`${open.label} ${of.nameOf(item)}?`}
          action={`${open.label} the ${of.noun}`}
          act={() => act(open)}
          close={close}
        >
          <p>{open.says}</p>
        </Question>
      )}
      {open !== null && typeof open === 'object' && open.dialog && (
        <open.dialog item={item} changed={changed} close={close} />
      )}
    </>
  );
}
