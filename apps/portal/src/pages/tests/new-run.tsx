import { useState } from 'preact/hooks';
import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { startTestRun } from '../../api/test-runs.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { type Secret, secretsOf } from '../../parts/secret-fields.js';
import { externalConsumerOf } from '../../rules/external-consumer.js';
import { AdaptedPreview, type Consumer } from './adapted-preview.js';
import { CriteriaChoice } from './criteria-choice.js';
import { ExternalFields } from './external-fields.js';

type Kind = Consumer['consumer_kind'];
/** An external program need not be known as an agent. */
const NO_AGENT: [string, string] = ['', 'no agent that is known here'];

const VERSION = /^\d+\.\d+\.\d+$/;

function consumerOf(kind: Kind, given: Record<string, string>): Consumer {
  if (kind === 'EXTERNAL') return { consumer_kind: kind, consumer_config: externalConsumerOf(given) };
  const { consumer = '', version = '' } = given;
  const pinned = version ? { version } : {};
  if (kind === 'AGENT') return { consumer_kind: kind, consumer_config: { agent_id: Number(consumer), ...pinned } };
  if (kind === 'WORKFLOW')
    return { consumer_kind: kind, consumer_config: { workflow_id: Number(consumer), ...pinned } };
  return { consumer_kind: kind, consumer_config: { model: consumer } };
}

export function NewTestRun({ testSetId, close }: { testSetId: number; close: () => void }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [kind, setKind] = useState<Kind>('AGENT');
  const [chosen, setChosen] = useState<{ consumer: string; version: string }>({ consumer: '', version: '' });
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const [criteria, setCriteria] = useState<number[]>([]);
  const names = async (signal: AbortSignal): Promise<[string, string][]> => {
    const page = { limit: 100 };
    if (kind === 'AGENT' || kind === 'EXTERNAL') {
      const kinds = [kind === 'AGENT' ? ('HOSTED' as const) : kind];
      const known = await api.agents.list({ kind: kinds, ...page }, { signal }).all();
      const agents = known.map(({ id, agent_name }): [string, string] => [String(id), agent_name]);
      return kind === 'AGENT' ? agents : [NO_AGENT, ...agents];
    }
    if (kind === 'WORKFLOW')
      return (await api.workflows.list(page, { signal }).all()).map(({ id, workflow_name }) => [
        String(id),
        workflow_name,
      ]);
    return (await api.models.list(page, { signal }).all()).map(({ model_name }) => [model_name, model_name]);
  };
  const choices = useQuery({ queryKey: ['consumers', kind], queryFn: ({ signal }) => names(signal) });
  const consumer = chosen.consumer || (choices.data?.[0]?.[0] ?? '');
  const isWhole = chosen.version === '' || VERSION.test(chosen.version);
  async function start(given: Record<string, string>) {
    const fields = {
      ...consumerOf(kind, given),
      test_set_id: testSetId,
      repeats: Number(given.repeats ?? 1),
      ...(criteria.length > 0 ? { criteria_ids: criteria } : {}),
    };
    const how = { concurrency: Number(given.concurrency ?? 4), secrets: secretsOf(secrets) };
    const id = await startTestRun(api, fields, how);
    go(`/test-runs/${id}`);
  }
  return (
    <Dialog title="Run the test set" close={close}>
      <Form action="Start" submit={start}>
        <Field label="Against">
          <select
            value={kind}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value as Kind);
              setChosen({ consumer: '', version: '' });
              setSecrets([]);
            }}
          >
            <option value="AGENT">an agent</option>
            <option value="WORKFLOW">a workflow</option>
            <option value="MODEL">a model</option>
            <option value="EXTERNAL">a program elsewhere</option>
          </select>
        </Field>
        {kind === 'EXTERNAL' && <ExternalFields secrets={secrets} change={setSecrets} />}
        <Field
          label={kind === 'EXTERNAL' ? 'Agent' : 'Which'}
          hint={choices.data?.length === 0 ? 'There is none yet.' : ''}
        >
          <select
            name="consumer"
            required={kind !== 'EXTERNAL'}
            value={consumer}
            onChange={({ currentTarget }) => setChosen({ ...chosen, consumer: currentTarget.value })}
          >
            {(choices.data ?? []).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Failure error={choices.error} />
        {kind !== 'MODEL' && (kind !== 'EXTERNAL' || consumer !== '') && (
          <Field
            label="Version"
            hint={
              kind === 'EXTERNAL' ? 'The one that runs there: gates read the run as one of it.' : 'Empty: the draft.'
            }
          >
            <input
              name="version"
              pattern="\d+\.\d+\.\d+"
              placeholder={kind === 'EXTERNAL' ? '1.0.0' : 'draft'}
              onInput={({ currentTarget }) => setChosen({ ...chosen, version: currentTarget.value })}
            />
          </Field>
        )}
        <Field label="Items at once">
          <input name="concurrency" type="number" min={1} max={100} defaultValue={4} />
        </Field>
        <Field label="Times each item is run">
          <input name="repeats" type="number" min={1} max={20} defaultValue={1} />
        </Field>
        <CriteriaChoice chosen={criteria} choose={setCriteria} />
      </Form>
      {kind !== 'EXTERNAL' && consumer !== '' && isWhole && (
        <AdaptedPreview testSetId={testSetId} consumer={consumerOf(kind, { ...chosen, consumer })} />
      )}
    </Dialog>
  );
}
