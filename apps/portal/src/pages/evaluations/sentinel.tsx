import { useState } from 'preact/hooks';
import type { EvaluationResult, EvaluationTrial, Sentinel } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { Link, useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { useTyped } from '../../parts/unsaved.js';
import { duration, money, oneLine, percent } from '../../rules/formats.js';
import { SEVERITIES } from './severities.js';

export function SentinelPage() {
  const { api } = usePortal();
  const sentinel_id = Number(useParams<{ id: string }>().id);
  return (
    <div class="page">
      <Loaded name={['sentinel', sentinel_id]} load={(signal) => api.sentinels.get({ sentinel_id }, { signal })}>
        {(sentinel, reload) => (
          <>
            <Head sentinel={sentinel} changed={reload} />
            <div class="columns">
              <Directive sentinel={sentinel} changed={reload} />
              <Try sentinel={sentinel} />
            </div>
            <Results id={sentinel_id} />
          </>
        )}
      </Loaded>
    </div>
  );
}

interface SentinelProps {
  sentinel: Sentinel;
  changed: () => void;
}

function Head({
  sentinel: { id: sentinel_id, sentinel_name, state, severity, meta, ...sentinel },
  changed,
}: SentinelProps) {
  const { api, can } = usePortal();
  const [error, setError] = useState<unknown>(null);
  const { enable, disable } = api.sentinels;
  const isOn = state === 'ENABLED';
  return (
    <>
      <div class="head">
        <h1>{sentinel_name}</h1>
        <button
          aria-disabled={!can('write')}
          onClick={() => can('write') && void (isOn ? disable : enable)({ sentinel_id }).then(changed).catch(setError)}
        >
          {isOn ? 'Disable' : 'Enable'}
        </button>
        <Link class="button" href={`/evaluations?new=${sentinel_id}`}>
          Evaluate recorded requests
        </Link>
      </div>
      <Failure error={error} />
      <Facts>
        <Lamp state={state} />
        <Fact label="severity">{SEVERITIES[severity] ?? severity}</Fact>
        <Fact label="judge">{typeof meta.model === 'string' ? meta.model : 'the judge model of the company'}</Fact>
        <Fact label="corrects">{sentinel.sentinel_directive.correction ? 'faulty answers' : 'nothing'}</Fact>
      </Facts>
    </>
  );
}

function Directive({ sentinel: { id: sentinel_id, sentinel_directive, date_updated }, changed }: SentinelProps) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const edit = useTyped(date_updated);
  const { instruction, correction } = sentinel_directive;
  async function save(given: Record<string, string>): Promise<void> {
    const text = given.correction ?? '';
    const saved = api.sentinels.update({
      sentinel_id,
      sentinel_directive: {
        instruction: given.instruction ?? '',
        correction: text === '' ? null : { type: correction?.type ?? 'STATIC', instruction: text },
      },
    });
    await edit.saving(saved.then((sentinel) => cache.setQueryData(['sentinel', sentinel_id], sentinel)));
    say('Saved. New traffic is judged by it.');
    changed();
  }
  return (
    <section class="card" aria-label="Directive" onInput={edit.typed}>
      <h2>What it looks for</h2>
      <Form
        key={edit.key}
        action="Save it"
        submit={save}
        {...(can('write') ? {} : { locked: 'Saving needs a key with the scope «write».' })}
      >
        <Field label="What makes an answer faulty">
          <textarea name="instruction" rows={6} required defaultValue={instruction} />
        </Field>
        <Field label={correction?.type === 'LLM' ? 'How a model corrects it' : 'Text instead of a faulty answer'}>
          <textarea name="correction" rows={3} defaultValue={correction?.instruction ?? ''} />
        </Field>
      </Form>
    </section>
  );
}

function Try({ sentinel: { id: sentinel_id } }: { sentinel: Sentinel }) {
  const { api, can } = usePortal();
  const [request, setRequest] = useParam('request');
  const [trial, setTrial] = useState<EvaluationTrial | null>(null);
  async function judge({ request_id = '' }: Record<string, string>): Promise<void> {
    setRequest(request_id);
    setTrial(await api.sentinels.test({ sentinel_id, request_id }));
  }
  return (
    <section class="card" aria-label="Try">
      <h2>Try it on a request</h2>
      <Loaded name={['newest requests']} load={(signal) => api.requests.list({ limit: 20 }, { signal })}>
        {({ data }) => (
          <Form
            action="Judge it"
            submit={judge}
            {...(can('invoke') ? {} : { locked: 'A try needs a key with the scope «invoke».' })}
          >
            <Field label="Request" hint="The id of any recorded request; the newest are proposed.">
              <input
                class="mono"
                name="request_id"
                list="newest"
                required
                defaultValue={request || (data[0]?.request_id ?? '')}
              />
            </Field>
            <datalist id="newest">
              {data.map(({ request_id, model }) => (
                <option key={request_id} value={request_id}>
                  {model}
                </option>
              ))}
            </datalist>
          </Form>
        )}
      </Loaded>
      <div role="status" class="stack">
        {trial && (
          <>
            <Facts>
              <Lamp state={trial.status} failureClass={trial.status === 'ERROR' ? trial.failure_class : null} />
              <Fact label="sure">{percent(trial.confidence)}</Fact>
              <Fact label="took">{duration(trial.eval_time_ms)}</Fact>
              <Fact label="cost">{money(trial.usage.cost)}</Fact>
            </Facts>
            <p>{trial.description}</p>
            {trial.correction !== null && <p class="why calm">Corrected: {trial.correction}</p>}
          </>
        )}
      </div>
    </section>
  );
}

const COLUMNS: Column<EvaluationResult>[] = [
  {
    title: 'Verdict',
    width: '150px',
    cell: ({ status, failure_class }) => (
      <Lamp state={status} failureClass={status === 'ERROR' ? failure_class : null} />
    ),
  },
  { title: 'Why', width: '3fr', cell: ({ description }) => oneLine(description) || '–' },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ usage }) => money(usage.cost) },
  { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

function Results({ id: sentinel_id }: { id: number }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [status, setStatus] = useParam('status');
  const filters = { sentinel_id, ...(status ? { status: status as 'FAULT' } : {}) };
  return (
    <section class="stack" aria-label="Results">
      <h2>What it found</h2>
      <div class="bar">
        <VerdictFilter value={status} set={setStatus} />
      </div>
      <Rows<EvaluationResult>
        label="Results"
        name={['sentinel results', filters]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.sentinels.listResults({ ...filters, offset, limit }, { signal })}
        open={({ request_id }) => go(`/runs/request/${request_id}`)}
        empty={<Empty title={status ? 'No result is so.' : 'It has judged nothing yet.'} />}
      />
    </section>
  );
}

export const VerdictFilter = ({ value, set }: { value: string; set: (value: string) => void }) => (
  <Field label="Verdict">
    <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      <option value="">any</option>
      <option value="FAULT">fault</option>
      <option value="PASS">pass</option>
      <option value="NA">does not apply</option>
      <option value="ERROR">not judged: an error</option>
    </select>
  </Field>
);
