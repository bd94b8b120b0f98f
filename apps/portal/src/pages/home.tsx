import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Loaded } from '../parts/loaded.js';
import { count, duration, money, percent } from '../rules/formats.js';
import { NewAgent } from './agents.js';
import { NewWorkflow } from './workflows/new-workflow.js';

const PROMPT = 'You answer questions about orders, in one sentence.';
/** Replies from a mock until it has an address. */
const FIND_ORDER = {
  action_name: 'find_order',
  action_type: 'api' as const,
  description: 'Find an order by its number',
  action_config: {
    method: 'GET' as const,
    base_url: 'https://orders.example',
    endpoint: '/orders/{number}',
    parameters: { number: { type: 'string' as const, description: 'The number of the order', required: true } },
    mock_response: { number: 'A-17', status: 'shipped' },
  },
};

export function Home() {
  const { api, login } = usePortal();
  return (
    <div class="page">
      <div class="head">
        <h1>{login.company_name}</h1>
      </div>
      <Loaded name={['agents', 'any']} load={(signal) => api.agents.list({ limit: 1 }, { signal })}>
        {({ pagination: { total } }) => (total === 0 ? <FirstSteps /> : <Overview />)}
      </Loaded>
    </div>
  );
}

function FirstSteps() {
  const [, go] = useLocation();
  const [isNew, setIsNew] = useState<'prompt' | 'action' | 'workflow' | null>(null);
  return (
    <section class="stack" aria-label="First steps">
      <h2>What should it do?</h2>
      <div class="cards">
        <button class="card choice" onClick={() => setIsNew('prompt')}>
          <b>Answer from a prompt</b>
          <span class="soft">An agent with a prompt, which answers at once by the built-in model.</span>
        </button>
        <button class="card choice" onClick={() => setIsNew('action')}>
          <b>Call an API</b>
          <span class="soft">An agent with an action. Without an address of yours it answers from a mock.</span>
        </button>
        <button class="card choice" onClick={() => setIsNew('workflow')}>
          <b>Run a workflow</b>
          <span class="soft">A script that calls models, agents and APIs. Begin with one of three examples.</span>
        </button>
        <button class="card choice" onClick={() => go('/elsewhere')}>
          <b>Watch an agent that runs elsewhere</b>
          <span class="soft">Its program sends its OpenTelemetry traces, or its calls of models.</span>
        </button>
      </div>
      {isNew === 'workflow' && <NewWorkflow close={() => setIsNew(null)} made={(id) => go(`/workflows/${id}`)} />}
      {(isNew === 'prompt' || isNew === 'action') && (
        <NewAgent
          prompt={PROMPT}
          {...(isNew === 'action' ? { action: FIND_ORDER } : {})}
          close={() => setIsNew(null)}
          made={(id) => go(`/agents/${id}`)}
        />
      )}
    </section>
  );
}

interface Need {
  title: readonly [one: string, several: string];
  href: string;
  name: readonly unknown[];
  load: (signal: AbortSignal) => PromiseLike<{ pagination: { total: number } }>;
}

function Overview() {
  const { api } = usePortal();
  const since = Date.now() - 3_600_000;
  const recent = Math.floor(since / 60_000) * 60_000;
  const needs: Need[] = [
    {
      title: ['alert is open', 'alerts are open'],
      href: '/alerts',
      name: ['alerts', 'open'],
      load: (signal: AbortSignal) => api.monitors.listAlerts({ status: ['open'], limit: 1 }, { signal }),
    },
    {
      title: ['run waits for an approval', 'runs wait for an approval'],
      href: '/approvals',
      name: ['tasks', 'waiting'],
      load: (signal: AbortSignal) => api.agents.listAllTasks({ status: ['WAITING_WEBHOOK'], limit: 1 }, { signal }),
    },
    {
      title: ['workflow run failed within an hour', 'workflow runs failed within an hour'],
      href: '/runs?kind=Workflows&status=FAILED&since=1h',
      name: ['workflow runs', 'failed', recent],
      load: (signal: AbortSignal) =>
        api.workflows.listAllRuns({ status: ['FAILED'], start_date: recent, limit: 1 }, { signal }),
    },
    {
      title: ['task failed within an hour', 'tasks failed within an hour'],
      href: '/runs?status=FAILED&since=1h',
      name: ['tasks', 'failed', recent],
      load: (signal: AbortSignal) =>
        api.agents.listAllTasks({ status: ['FAILED'], start_date: recent, limit: 1 }, { signal }),
    },
  ];
  return (
    <>
      <section class="card" aria-label="Needs you">
        <h2>Needs you</h2>
        {needs.map(({ title: [one, several], href, name, load }) => (
          <Loaded key={href} name={name} load={load} pollMs={5000}>
            {({ pagination: { total } }) => (
              <p>
                {total === 0 ? (
                  <span class="soft">No {several}.</span>
                ) : (
                  <Link href={href}>
                    {count(total)} {total === 1 ? one : several}
                  </Link>
                )}
              </p>
            )}
          </Loaded>
        ))}
      </section>
      <section class="card" aria-label="Seven days">
        <h2>Calls of models in seven days</h2>
        <Loaded name={['summary']} load={(signal) => api.analytics.getSummary({}, { signal })} pollMs={30_000}>
          {(summary) => (
            <dl class="figures">
              <Figure label="calls" value={count(summary.request_count)} />
              <Figure label="sessions" value={count(summary.session_count)} />
              <Figure label="mean time" value={duration(summary.avg_response_time_ms)} />
              <Figure label="faults" value={percent(summary.fault_rate)} />
              <Figure label="errors" value={percent(summary.error_rate)} />
              <Figure label="tokens" value={count(summary.total_tokens)} />
              <Figure label="cost" value={money(summary.cost)} />
            </dl>
          )}
        </Loaded>
      </section>
    </>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
