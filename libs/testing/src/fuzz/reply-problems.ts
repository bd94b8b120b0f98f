import { type Endpoint, ERRORS } from '@signalbox/contracts';
import { errorStatuses } from '@signalbox/openapi';
import type { RawHttpReply } from '../conformance/raw-client.js';
import { errorProblems, outputProblems } from '../conformance/outputs.js';
import { nameOf, PUBLIC_ENDPOINTS } from '../conformance/public-endpoints.js';
import type { FuzzRequest } from './message.js';
import { type Answer, repliesIn, type WireReply } from './socket.js';

const INSIDE =
  /\bat [^\n"]{1,200}\.[jt]s:\d|node_modules|\/dist\/|\bsvc_[a-z]|SELECT .{1,80} FROM|INSERT INTO|violates .{1,40} constraint|\/tmp\/|\bpg_/;

/** For endpoints that depend on third parties. */
const UPSTREAM = [502, 504];

const anywhere: ReadonlySet<number> = new Set([...Object.values(ERRORS), 200, 204]);
/** The fuzzer never sends an idempotency key with an input that it believes to be valid. */
const documented = new Map<string, ReadonlySet<number>>(
  PUBLIC_ENDPOINTS.map((endpoint) => [nameOf(endpoint), new Set([200, ...errorStatuses(endpoint, false)])]),
);

const endpoints = new Map(PUBLIC_ENDPOINTS.map((endpoint) => [nameOf(endpoint), endpoint]));

function statusProblems({ status }: WireReply, endpoint: Endpoint | undefined): string[] {
  if (status === 0) return ['an answer that is not HTTP'];
  const known = (endpoint && documented.get(nameOf(endpoint))) ?? anywhere;
  if (!known.has(status)) return [`the undocumented status ${status}`];
  const upstream = endpoint?.slow === true && UPSTREAM.includes(status);
  return status >= 500 && !upstream ? [`status ${status}`] : [];
}

function replyProblems(reply: WireReply, endpoint: Endpoint | undefined, headless: boolean): string[] {
  const problems = statusProblems(reply, endpoint);
  const { status, body, headers } = reply;
  if (status === 0) return [...problems, body.slice(0, 200)];
  if (!headers.has('x-request-id')) problems.push(`a ${status} without X-Request-Id`);
  if (INSIDE.test(body)) problems.push(`a ${status} that reveals internals`);
  const head = [...headers].map(([name, value]) => `${name}\n${value}`).join('\n');
  const seen: RawHttpReply = { status, text: body, contentType: headers.get('content-type') ?? '', head };
  if (status >= 400 && !headless) problems.push(...errorProblems(seen, [status]));
  if (status === 200 && endpoint && !headless && !/text\/event-stream/.test(seen.contentType))
    problems.push(...outputProblems(endpoint, seen));
  return problems.length > 0 ? [...problems, `answered: ${body.slice(0, 400)}`] : [];
}

export function answerProblems(request: FuzzRequest, answer: Answer): string[] {
  if (answer.streaming) return [];
  if (answer.hung) return [`no answer within ${Math.round(answer.ms)} ms`];
  const head = request.bytes.subarray(0, 5).toString('latin1') === 'HEAD ';
  const replies = repliesIn(answer.text, head);
  if (replies.length === 0) return answer.givenUp ? [] : ['the connection was closed without an answer'];
  const exact = request.kind === 'valid' || request.kind === 'chain' ? endpoints.get(request.from ?? '') : undefined;
  return replies.flatMap((reply) => replyProblems(reply, exact, head));
}
