import type { RecordedRequest } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Lamp } from '../../parts/lamp.js';
import { Time } from '../../parts/time.js';
import { count, duration, money } from '../../rules/formats.js';
import { sessionPath } from '../../rules/session-path.js';
import { whyOf } from '../../rules/why.js';

const PAGE_OF: Record<string, string> = { AGENT: '/runs/task/', WORKFLOW: '/runs/workflow/' };

function Origin({ request }: { request: RecordedRequest }) {
  const { origin, origin_id, task_id, run_id } = request;
  const page = PAGE_OF[origin];
  return (
    <>
      {page !== undefined && origin_id !== null && (
        <Fact label="called by">
          <Link href={`${page}${origin_id}`}>run {origin_id.slice(0, 8)}</Link>
        </Fact>
      )}
      {task_id !== null && (
        <Fact label="answered by">
          <Link href={`/runs/task/${task_id}`}>run {task_id.slice(0, 8)}</Link>
        </Fact>
      )}
      {run_id !== null && (
        <Fact label="answered by">
          <Link href={`/runs/workflow/${run_id}`}>run {run_id.slice(0, 8)}</Link>
        </Fact>
      )}
    </>
  );
}

export function RequestFacts({ request }: { request: RecordedRequest }) {
  const applications = useNames('applications');
  const { application_id, session_id, rerun_of, usage, tags } = request;
  return (
    <>
      <Facts>
        <span>
          <Lamp state={request.status} failureClass={request.failure_class} />
        </span>
        <Fact label="model">{request.model}</Fact>
        {application_id !== null && (
          <Fact label="application">{applications.get(application_id) ?? application_id}</Fact>
        )}
        {request.intent_id !== null && <Fact label="intent">{request.intent_id}</Fact>}
        <Fact label="latency">{duration(request.response_time_ms)}</Fact>
        {request.first_token_time_ms !== null && (
          <Fact label="first token">{duration(request.first_token_time_ms)}</Fact>
        )}
        <Fact label="tokens">
          {count(usage.prompt_tokens)} + {count(usage.completion_tokens)}
        </Fact>
        <Fact label="cost">{money(usage.cost)}</Fact>
        <Fact label="at">
          <Time at={request.date_created} />
        </Fact>
        <Origin request={request} />
        {session_id !== null && (
          <Fact label="session">
            <Link href={sessionPath({ session_id })}>{session_id.slice(0, 12)}</Link>
          </Fact>
        )}
        {rerun_of !== null && (
          <Fact label="rerun of">
            <Link href={`/runs/request/${rerun_of}`}>request {rerun_of.slice(0, 8)}</Link>
          </Fact>
        )}
        {request.reference_id !== null && <Fact label="reference">{request.reference_id}</Fact>}
        {request.evaluation_status !== 'NA' && (
          <span>
            <small>verdict</small> <Lamp state={request.evaluation_status} />
          </span>
        )}
        {tags.length > 0 && <Fact label="tags">{tags.map(({ tag_name }) => tag_name).join(', ')}</Fact>}
      </Facts>
      {request.status === 'FAILED' && <p class="why odd">{whyOf({ ...request, error_code: null })}</p>}
      {request.fallback_used && (
        <p class="soft">A fallback model answered{request.fallback_reason ? `: ${request.fallback_reason}` : ''}.</p>
      )}
    </>
  );
}
