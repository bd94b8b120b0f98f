import { useState } from 'preact/hooks';
import type { ListedTestSetItem } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Loaded } from '../../parts/loaded.js';
import { textOf } from '../../parts/messages.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Tabs } from '../../parts/tabs.js';
import { count, oneLine } from '../../rules/formats.js';
import { answerText } from '../../rules/verdict.js';
import { ItemDialog } from './item.js';
import { NewItem } from './new-item.js';
import { NewTestRun } from './new-run.js';
import { TestRunRows } from './runs.js';

const TABS = ['Items', 'Runs'] as const;

const inputText = ({ input }: ListedTestSetItem): string =>
  input === null
    ? '(large; open it)'
    : oneLine(input.messages?.length ? textOf(input.messages.at(-1)?.content) : JSON.stringify(input.input));

const SOURCES: Record<ListedTestSetItem['source_type'], string> = {
  MANUAL: 'by hand',
  REQUEST: 'request',
  WORKFLOW_RUN: 'workflow run',
  AGENT_TASK: 'run',
};

const COLUMNS: Column<ListedTestSetItem>[] = [
  { title: '#', width: '50px', isNumber: true, cell: ({ position }) => position },
  { title: 'Input', width: '3fr', cell: inputText },
  {
    title: 'Expected',
    width: '3fr',
    cell: ({ effective_expected_output }) => oneLine(answerText(effective_expected_output)) || '–',
  },
  { title: 'Expectation', width: '110px', cell: ({ response_sub }) => (response_sub ? 'override' : 'baseline') },
  { title: 'From', width: '110px', cell: ({ source_type }) => SOURCES[source_type] },
];

export function TestSetPage() {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const test_set_id = Number(useParams<{ id: string }>().id);
  const [tab, setTab] = useState<(typeof TABS)[number]>('Items');
  const [opened, setOpened] = useState<ListedTestSetItem | null>(null);
  const [dialog, setDialog] = useState<'item' | 'run' | null>(null);
  // An override changes neither the set nor the number of its items.
  const changed = (): void => void cache.invalidateQueries({ queryKey: ['test set', test_set_id] });
  return (
    <div class="page">
      <Loaded name={['test set', test_set_id]} load={(signal) => api.testSets.get({ test_set_id }, { signal })}>
        {(set, reload) => (
          <>
            <div class="head">
              <h1>{set.name}</h1>
              {can('write') && <button onClick={() => setDialog('item')}>New item</button>}
              <a href={`/c/${location.pathname.split('/')[2]}/api/v1/unified-test-sets/${set.id}/export?format=jsonl`}>
                Export
              </a>
              <button
                class="primary"
                aria-disabled={!can('invoke') || set.item_count === 0}
                onClick={() => can('invoke') && set.item_count > 0 && setDialog('run')}
              >
                Run it
              </button>
            </div>
            {set.description && <p class="soft">{set.description}</p>}
            <Tabs label="Test set" names={TABS} chosen={tab} choose={setTab}>
              {tab === 'Items' ? (
                <Rows<ListedTestSetItem>
                  label={`${count(set.item_count)} items`}
                  name={['test set', test_set_id, 'items', set.date_updated, set.item_count]}
                  columns={COLUMNS}
                  load={(offset, limit, signal) =>
                    api.testSets.listItems({ test_set_id, offset, limit, sort: 'position' }, { signal })
                  }
                  open={setOpened}
                  empty={
                    <Empty title="The set is empty.">
                      <Link href="/runs">Select runs and add them</Link>
                    </Empty>
                  }
                />
              ) : (
                <TestRunRows filters={{ test_set_id }} />
              )}
            </Tabs>
            {opened && <ItemDialog item={opened} close={() => setOpened(null)} changed={changed} />}
            {dialog === 'item' && <NewItem testSetId={set.id} close={() => setDialog(null)} made={reload} />}
            {dialog === 'run' && <NewTestRun testSetId={set.id} close={() => setDialog(null)} />}
          </>
        )}
      </Loaded>
    </div>
  );
}
