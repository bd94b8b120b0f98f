import { useState } from 'preact/hooks';
import type { TestSet } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field, Form } from '../../parts/form.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';

const COLUMNS: Column<TestSet>[] = [
  { title: 'Name', width: '3fr', cell: ({ name }) => name },
  { title: 'Tags', width: '2fr', cell: ({ tags }) => tags.join(', ') || '–' },
  { title: 'Items', width: '90px', isNumber: true, cell: ({ item_count }) => count(item_count) },
  { title: 'Last run', width: '120px', cell: ({ last_run_at }) => <Time at={last_run_at} /> },
];

export function TestSets() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [search, setSearch] = useParam('search');
  const [isNew, setIsNew] = useState(false);
  const open = (id: number): void => go(`/test-sets/${id}`);
  return (
    <div class="page">
      <div class="head">
        <h1>Test sets</h1>
        <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New test set
        </button>
      </div>
      <div class="bar">
        <Field label="Name contains">
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </Field>
      </div>
      <Rows<TestSet>
        label="Test sets"
        name={['test sets', search]}
        columns={COLUMNS}
        load={(offset, limit, signal) =>
          api.testSets.list({ offset, limit, ...(search ? { search } : {}) }, { signal })
        }
        open={({ id }) => open(id)}
        empty={
          <Empty title={search ? 'No test set matches.' : 'There is no test set yet.'}>
            {!search && <p class="soft">Make one here, or from runs: select some and add them.</p>}
          </Empty>
        }
      />
      {isNew && (
        <Dialog title="New test set" close={() => setIsNew(false)}>
          <Form
            action="Make it"
            submit={async ({ name = '', description = '' }) =>
              open((await api.testSets.create({ name, description: description || null })).id)
            }
          >
            <Field label="Name">
              <input name="name" required maxLength={200} autofocus />
            </Field>
            <Field label="Description">
              <input name="description" maxLength={2000} />
            </Field>
          </Form>
        </Dialog>
      )}
    </div>
  );
}
