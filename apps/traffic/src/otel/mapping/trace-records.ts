import type { ExternalTask, Usage } from '@signalbox/contracts';
import { type RequestRecord, recordOf } from '../../request-records/index.js';
import type { Span } from '../otlp/span.js';
import { textIn } from './attributes.js';
import { failureOf } from './failures.js';
import { messagesOf } from './messages.js';
import { requestIdOf } from './trace-requests.js';

export interface CallOwner {
  companyId: number;
  applicationId: number;
  agentId: number | null;
  task: ExternalTask;
  isTest: boolean;
}

const MAX_INT = 2_147_483_647;
const nameIn = (span: Span, name: 'model' | 'provider'): string =>
  textIn(span, name)?.slice(0, 200).toWellFormed() ?? 'unknown';

export function requestOf(
  span: Span,
  usage: Usage,
  { companyId, applicationId, agentId, task, isTest }: CallOwner,
): RequestRecord {
  const { failure_class, error_message } = failureOf(span);
  return recordOf({
    requestId: requestIdOf(companyId, span),
    companyId,
    place: { applicationId, intentId: null, intentGroupId: null },
    agentId,
    release: task.release,
    sessionId: task.session_id,
    inSession: false,
    referenceId: null,
    requestType: isTest ? 'SYNTHETIC' : 'PROD',
    origin: 'EXTERNAL',
    originId: task.id,
    inferenceLocation: 'CLIENT',
    model: nameIn(span, 'model'),
    provider: nameIn(span, 'provider'),
    metadata: { trace_id: span.trace_id, span_id: span.span_id },
    params: { model: nameIn(span, 'model'), messages: messagesOf(span, 'input') },
    answer: error_message === null ? answerOf(span, usage) : null,
    failure: error_message === null ? null : { failureClass: failure_class, message: error_message },
    fallback: null,
    usage,
    firstTokenMs: null,
    responseMs: Math.min(MAX_INT, Math.round(span.end_ms - span.start_ms)),
    began: Math.min(Date.now(), Math.floor(span.start_ms)),
  });
}

/** As chat completions name it. */
function finishReasonOf(span: Span): string {
  const said = textIn(span, 'finish_reason')?.slice(0, 100).replaceAll('-', '_') ?? 'stop';
  return said === 'tool_call' ? 'tool_calls' : said;
}

function answerOf(span: Span, usage: Usage): object {
  const message = messagesOf(span, 'output').at(-1) ?? { role: 'assistant', content: null };
  const finish_reason = finishReasonOf(span);
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  return {
    id: textIn(span, 'response_id')?.slice(0, 200) ?? requestIdOf(0, span),
    object: 'chat.completion',
    created: Math.floor(span.end_ms / 1000),
    model: nameIn(span, 'model'),
    choices: [{ index: 0, message, finish_reason }],
    usage: { prompt_tokens, completion_tokens, total_tokens },
  };
}
