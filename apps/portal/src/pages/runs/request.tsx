import { useState } from 'preact/hooks';
import type { RecordedRequest } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Copy } from '../../parts/copy.js';
import { CorrectionDialog } from '../../parts/correction.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { useParam } from '../../parts/param.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { percent } from '../../rules/formats.js';
import { answersOf, askedOf, correctionsOf, parametersOf } from '../../rules/request-texts.js';
import { RequestFacts } from './request-facts.js';

const TABS = ['Conversation', 'Verdicts', 'Parameters', 'JSON'] as const;
type Tab = (typeof TABS)[number];

export function RequestPage() {
  const { api } = usePortal();
  const { id } = useParams<{ id: string }>();
  const [tab, setTab] = useParam('tab', 'Conversation');
  return (
    <Loaded name={['request', id]} load={(signal) => api.requests.get({ request_id: id }, { signal })}>
      {(request) => (
        <div class="page">
          <div class="head">
            <h1>Request</h1>
            <code>{request.request_id}</code>
            <Copy text={request.request_id} label="Copy the id" />
            <Actions request={request} />
          </div>
          <RequestFacts request={request} />
          <Tabs label="Request" names={TABS} chosen={tab as Tab} choose={setTab}>
            {tab === 'Conversation' && <Conversation request={request} />}
            {tab === 'Verdicts' && <Verdicts id={request.request_id} />}
            {tab === 'Parameters' && (
              <>
                <JsonView label="Parameters" value={parametersOf(request) ?? {}} />
                <JsonView label="Metadata" value={request.metadata} />
              </>
            )}
            {tab === 'JSON' && <JsonView label="Request" value={request} file={`request-${request.request_id}.json`} />}
          </Tabs>
        </div>
      )}
    </Loaded>
  );
}

function Actions({ request }: { request: RecordedRequest }) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const [asked, setAsked] = useState<'add' | 'rerun' | null>(null);
  const ask = (what: 'add' | 'rerun', scope: string) => ({
    'aria-disabled': !can(scope),
    onClick: () => can(scope) && setAsked(what),
  });
  async function rerun({ model = '' }: Record<string, string>): Promise<void> {
    const made = await api.requests.rerun({ request_id: request.request_id, ...(model === '' ? {} : { model }) });
    say('Run again: this is the new request.');
    go(`/runs/request/${made.request_id}`);
  }
  return (
    <>
      <button {...ask('rerun', 'invoke')}>Run again</button>
      <button {...ask('add', 'write')}>Add to test set</button>
      {asked === 'add' && (
        <AddToTestSet
          sources={[{ source_type: 'REQUEST', source_id: request.request_id }]}
          close={() => setAsked(null)}
        />
      )}
      {asked === 'rerun' && (
        <Question title="Run this request again?" action="Run again" act={rerun} close={() => setAsked(null)}>
          <label>
            <span>Model</span>
            <input name="model" placeholder={request.model} />
            <small class="hint">Empty: the same one.</small>
          </label>
        </Question>
      )}
    </>
  );
}

function Conversation({ request }: { request: RecordedRequest }) {
  const { api, can, say } = usePortal();
  const cache = useQueryClient();
  const [dialog, setDialog] = useState<'correct' | 'remove' | null>(null);
  const [asked, answers, corrections] = [askedOf(request), answersOf(request), correctionsOf(request)];
  const correction = request.corrected_response;
  const show = (changed: RecordedRequest): void => void cache.setQueryData(['request', request.request_id], changed);

  async function remove(): Promise<void> {
    await api.requests.removeCorrection({ request_id: request.request_id });
    await cache.invalidateQueries({ queryKey: ['request', request.request_id] });
    say('The original counts again.');
  }
  if (asked.length === 0 && answers.length === 0) return <p class="soft">The messages were deleted.</p>;
  return (
    <>
      <Messages messages={asked} />
      <div class={corrections.length > 0 ? 'columns' : 'stack'}>
        <section class="stack" aria-label="Answer">
          <h2>{corrections.length > 0 ? 'Answered' : 'Answer'}</h2>
          {answers.length === 0 ? <p class="soft">There was no answer.</p> : <Messages messages={answers} />}
        </section>
        {corrections.length > 0 && (
          <section class="stack" aria-label="Correction">
            <h2>
              Should have answered{' '}
              <span class="soft">
                <Time at={correction?.date_updated} />
              </span>
            </h2>
            <Messages messages={corrections} />
            {correction?.note && <p class="soft">{correction.note}</p>}
          </section>
        )}
      </div>
      {answers.length > 0 && (
        <div class="bar">
          <button aria-disabled={!can('write')} onClick={() => can('write') && setDialog('correct')}>
            {corrections.length > 0 ? 'Change the correction' : 'Correct the answer'}
          </button>
          {corrections.length > 0 && (
            <button aria-disabled={!can('write')} onClick={() => can('write') && setDialog('remove')}>
              Remove the correction
            </button>
          )}
        </div>
      )}
      {dialog === 'correct' && <CorrectionDialog request={request} done={show} close={() => setDialog(null)} />}
      {dialog === 'remove' && (
        <Question
          title="Remove the correction?"
          action="Remove the correction"
          act={remove}
          close={() => setDialog(null)}
        >
          <p>The original counts again. The correction cannot be brought back.</p>
        </Question>
      )}
    </>
  );
}

function Verdicts({ id }: { id: string }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['verdicts', id]}
      load={(signal) => api.requests.listEvaluations({ request_id: id, limit: 100 }, { signal })}
    >
      {({ data }) =>
        data.length === 0 ? (
          <p class="soft">No sentinel has judged this request.</p>
        ) : (
          <Table label="Verdicts" columns={['Verdict', 'Sentinel', 'Why', 'Confidence', 'At']}>
            {data.map((verdict) => (
              <tr key={verdict.id}>
                <td>
                  <Lamp state={verdict.status} />
                </td>
                <td>{verdict.sentinel_name}</td>
                <td>{verdict.description || '–'}</td>
                <td>{percent(verdict.confidence)}</td>
                <td>
                  <Time at={verdict.date_created} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
