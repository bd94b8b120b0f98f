import { useState } from 'preact/hooks';
import type { Signalbox, TestRunsCreateInput, TestSetItem } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { startTestRun } from '../api/test-runs.js';
import { oneLine } from '../rules/formats.js';
import { answerText, expectedOf } from '../rules/verdict.js';
import { Field, Form } from './form.js';
import { Loaded } from './loaded.js';
import { textOf } from './messages.js';

const MOST = 20;

interface Source {
  source_type: string;
  source_id: string;
}
type Run = Pick<TestRunsCreateInput, 'consumer_kind' | 'consumer_config'>;
interface Suspect {
  name: string;
  run: Run;
}

const pinned = (version: string | null) => (version === null ? {} : { version });

/** Null when the producer cannot be run here. */
async function suspectOf(api: Signalbox, source: Source, signal: AbortSignal): Promise<Suspect | null> {
  if (source.source_type === 'AGENT_TASK') {
    const { agent_id, version, trigger } = await api.agents.getAnyTask({ task_id: source.source_id }, { signal });
    if (trigger === 'EXTERNAL') return null;
    const run: Run = { consumer_kind: 'AGENT', consumer_config: { agent_id, ...pinned(version) } };
    return { name: version ?? 'the draft', run };
  }
  if (source.source_type !== 'WORKFLOW_RUN') return null;
  const { workflow_id, workflow_version: version } = await api.workflows.getRun(
    { run_id: source.source_id },
    { signal },
  );
  const run: Run = { consumer_kind: 'WORKFLOW', consumer_config: { workflow_id, ...pinned(version) } };
  return { name: version ?? 'the draft', run };
}

/** In reverse order of position. */
async function itemsOf(api: Signalbox, test_set_id: number, sources: readonly Source[], signal: AbortSignal) {
  const { data } = await api.testSets.listItems({ test_set_id, sort: '-position', limit: 100 }, { signal });
  const ids = new Set(sources.map(({ source_id }) => source_id));
  return data
    .filter(({ source_id, input }) => input !== null && source_id !== null && ids.has(source_id))
    .slice(0, MOST);
}

const asked = ({ input, id }: Pick<TestSetItem, 'id'> & { input: TestSetItem['input'] | null }): string =>
  oneLine(input?.messages?.length ? textOf(input.messages.at(-1)?.content) : JSON.stringify(input?.input)) ||
  `Item ${id}`;

export function Expectations({ testSetId, sources }: { testSetId: number; sources: readonly Source[] }) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const [isSaved, setIsSaved] = useState(false);
  const first = sources[0];
  const load = async (signal: AbortSignal) =>
    Promise.all([
      itemsOf(api, testSetId, sources, signal),
      first && can('invoke') ? suspectOf(api, first, signal) : null,
    ]);
  return (
    <Loaded name={['expectations', testSetId, first?.source_id, sources.length]} load={load}>
      {([items, suspect]) => (
        <Form
          action={suspect ? `Run ${suspect.name} on the set` : 'Save what is expected'}
          submit={async (given) => {
            for (const item of items) {
              const text = given[`item-${item.id}`] ?? '';
              if (text === (answerText(item.effective_expected_output) ?? '')) continue;
              const expected_output = expectedOf(text, item.effective_expected_output);
              await api.testSets.setResponseSub({ test_set_id: testSetId, item_id: item.id, expected_output });
            }
            if (suspect) go(`/test-runs/${await startTestRun(api, { ...suspect.run, test_set_id: testSetId })}`);
            else setIsSaved(true);
            say('What is expected is saved.');
          }}
        >
          {items.map((item) => (
            <Field key={item.id} label={`Expected of «${asked(item)}»`}>
              <textarea
                name={`item-${item.id}`}
                rows={2}
                defaultValue={answerText(item.effective_expected_output) ?? ''}
              />
            </Field>
          ))}
          {isSaved && <p role="status">Saved.</p>}
        </Form>
      )}
    </Loaded>
  );
}
