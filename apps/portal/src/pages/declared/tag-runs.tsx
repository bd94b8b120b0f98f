import type { TagRun } from '@signalbox/sdk';
import type { Declaration, SectionProps } from '../../declared/declaration.js';
import { detailPage, listPage } from '../../declared/pages.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Progress } from '../../parts/progress.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { isOpen } from '../../rules/states.js';
import { choiceOf } from './fields.js';
import { RUN_FORM, type RunFields, runOf } from './tag-run-form.js';
import { NamedLink } from './name.js';

const POLL_MS = 2000;

const Filters = ({ item }: SectionProps<TagRun>) => (
  <>
    <p>
      Rules:{' '}
      {item.rule_ids.map((id, n) => (
        <span key={id}>
          {n > 0 && ', '}
          <NamedLink of="tagRules" id={id} />
        </span>
      ))}
    </p>
    {Object.keys(item.filters).length === 0 ? (
      <p class="soft">It is applied to all requests.</p>
    ) : (
      <JsonView label="Requests that it is applied to" value={item.filters} />
    )}
  </>
);

const RUNS: Declaration<TagRun, RunFields, never> = {
  title: 'Tag runs',
  noun: 'tag run',
  about: 'A run applies tag rules to requests that were recorded before.',
  path: () => '/tag-runs',
  idOf: ({ id }) => id,
  nameOf: ({ id }) => `Tag run ${id}`,
  columns: [
    { title: 'Run', width: '80px', cell: ({ id }) => id },
    { title: 'State', width: '130px', cell: ({ status }) => <Lamp state={status} /> },
    { title: 'Rules', width: '70px', isNumber: true, cell: ({ rule_ids }) => rule_ids.length },
    {
      title: 'Judged',
      width: '1fr',
      isNumber: true,
      cell: ({ processed, total_requests }) => `${count(processed)} of ${count(total_requests)}`,
    },
    { title: 'Tagged', width: '90px', isNumber: true, cell: ({ tagged }) => count(tagged) },
    { title: 'Errors', width: '80px', isNumber: true, cell: ({ errors }) => count(errors) },
    { title: 'Started', width: '110px', cell: ({ started_at }) => <Time at={started_at} /> },
  ],
  filters: [choiceOf('status', 'State', ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'])],
  live: 'newest',
  list: (api, input, _ids, signal) => api.tags.listRuns(input, { signal }),
  get: (api, { id: run_id = 0 }, signal) => api.tags.getRun({ run_id }, { signal }),
  pollMs: (run) => (run && isOpen(run.status) ? POLL_MS : false),
  note: (run) => (
    <>
      {run.error_message !== null && <p class="why">Failed: {run.error_message}</p>}
      {isOpen(run.status) && <Progress label="Judged requests" done={run.processed} total={run.total_requests} />}
    </>
  ),
  facts: (run) => [
    ['State', <Lamp state={run.status} />],
    ['Judged', `${count(run.processed)} of ${count(run.total_requests)}`],
    ['Newly tagged', count(run.tagged)],
    ['Errors', count(run.errors)],
    ['Started', <Time at={run.started_at} />],
    ['Ended', <Time at={run.completed_at} />],
  ],
  make: { ...RUN_FORM, scope: 'invoke', submit: (api, value) => api.tags.createRun(runOf(value)) },
  actions: [
    {
      label: 'Cancel',
      scope: 'invoke',
      isShown: ({ status }) => isOpen(status),
      says: 'The tags that it has given stay. It cannot be taken back.',
      act: (api, { id: run_id }) => api.tags.cancelRun({ run_id }),
      said: 'It is cancelled; the tags that it has given stay.',
    },
  ],
  sections: { Requests: Filters },
};

export const TagRuns = listPage(RUNS);
export const TagRunPage = detailPage(RUNS);
