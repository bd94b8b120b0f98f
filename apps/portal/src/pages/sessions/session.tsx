import { useMemo } from 'preact/hooks';
import { ApiError, type AgentSession, type ChatSession, type Signalbox } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Empty } from '../../parts/empty.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Feedback, type FeedbackGiven } from '../../parts/feedback.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { Time } from '../../parts/time.js';
import { count, money } from '../../rules/formats.js';
import { sessionIdIn } from '../../rules/session-path.js';
import { Conversation, type TurnSource } from './conversation.js';
import { requestTurns, taskTurns } from './turn-sources.js';

/** Searched in the list first, so that a session of an agent is no error. */
async function chatSession(api: Signalbox, session_id: string, signal: AbortSignal): Promise<ChatSession | null> {
  const { data, pagination } = await api.sessions.list({ search: session_id, limit: 100 }, { signal });
  const found = data.find((session) => session.session_id === session_id);
  if (found || pagination.total <= data.length) return found ?? null;
  return orNull(api.sessions.get({ session_id }, { signal }));
}

const orNull = <T,>(found: PromiseLike<T>): Promise<T | null> =>
  Promise.resolve(found).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

export function Session() {
  const { api } = usePortal();
  const sessionId = sessionIdIn(location.pathname);
  const [agent] = useParam('agent_id');
  const load = async (signal: AbortSignal) => {
    const agentId = Number(agent) || null;
    const chat = agentId === null ? await chatSession(api, sessionId, signal) : null;
    if (chat) return { chat, agents: null };
    const { data } = await api.agents.listAllTasks({ session_id: sessionId, sort: 'id', limit: 1 }, { signal });
    const agent_id = agentId ?? data[0]?.agent_id ?? null;
    if (agent_id === null) return { chat: null, agents: null };
    return { chat: null, agents: await orNull(api.agents.getSession({ agent_id, session_id: sessionId }, { signal })) };
  };
  return (
    <div class="page">
      <div class="head">
        <h1>Session</h1>
        <code>{sessionId}</code>
        <Copy text={sessionId} label="Copy the id" />
      </div>
      <Loaded name={['session', sessionId, agent]} load={load}>
        {({ chat, agents }, reload) => {
          if (chat) return <OfChat session={chat} reload={reload} />;
          if (agents) return <OfAgent session={agents} reload={reload} />;
          return <Empty title="There is no such session." />;
        }}
      </Loaded>
    </div>
  );
}

function OfChat({ session, reload }: { session: ChatSession; reload: () => void }) {
  const { api } = usePortal();
  const { session_id } = session;
  const source = useMemo(() => requestTurns(api, session_id), [api, session_id]);
  const given = async (feedback: FeedbackGiven) => (
    await api.sessions.giveFeedback({ session_id, ...feedback }),
    reload()
  );
  const removed = async () => (await api.sessions.deleteFeedback({ session_id }), reload());
  return (
    <>
      <Facts>
        <Fact label="application">{session.application_name ?? '–'}</Fact>
        <Fact label="requests">{count(session.request_count)}</Fact>
        <Fact label="faults">{count(session.fault_count)}</Fact>
        <Fact label="tokens">{count(session.total_tokens)}</Fact>
        <Fact label="cost">{money(session.cost)}</Fact>
        <Fact label="first">
          <Time at={session.first_request_at} />
        </Fact>
        <Fact label="last">
          <Time at={session.last_request_at} />
        </Fact>
        <Link href={`/runs?kind=Requests&session_id=${encodeURIComponent(session_id)}`}>Its requests</Link>
      </Facts>
      {session.summary && <p>{session.summary}</p>}
      <Talk source={source} session={session} save={given} remove={removed} extra={session.metadata} label="Metadata" />
    </>
  );
}

function OfAgent({ session, reload }: { session: AgentSession; reload: () => void }) {
  const { api } = usePortal();
  const names = useNames('agents');
  const { session_id, agent_id } = session;
  const source = useMemo(() => taskTurns(api, agent_id, session_id), [api, agent_id, session_id]);
  const of = { agent_id, session_id };
  const given = async (feedback: FeedbackGiven) => (
    await api.agents.setSessionFeedback({ ...of, ...feedback }),
    reload()
  );
  const removed = async () => (await api.agents.deleteSessionFeedback(of), reload());
  return (
    <>
      <Facts>
        <Fact label="agent">
          <Link href={`/agents/${agent_id}`}>{names.get(agent_id) ?? `agent ${agent_id}`}</Link>
        </Fact>
        <Fact label="runs">{count(session.task_count)}</Fact>
        <Fact label="began">
          <Time at={session.date_created} />
        </Fact>
        <Fact label="last">
          <Time at={session.last_activity} />
        </Fact>
        <Link href={`/runs?session_id=${encodeURIComponent(session_id)}`}>Its runs</Link>
      </Facts>
      <Talk source={source} session={session} save={given} remove={removed} extra={session.state} label="State" />
    </>
  );
}

function Talk({
  source,
  session,
  save,
  remove,
  extra,
  label,
}: {
  source: TurnSource;
  session: FeedbackGiven;
  save: (feedback: FeedbackGiven) => Promise<unknown>;
  remove: () => Promise<unknown>;
  extra: Record<string, unknown>;
  label: string;
}) {
  return (
    <div class="talk">
      <Conversation source={source} />
      <div class="stack side">
        <Feedback given={session} save={save} remove={remove} />
        {Object.keys(extra).length > 0 && (
          <div class="card">
            <JsonView label={label} value={extra} />
          </div>
        )}
      </div>
    </div>
  );
}
