const ONE = '/chat/completions/response';
const SEVERAL = '/chat/completions/responses';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function identified(answer: unknown): unknown {
  const call = isObject(answer) ? answer.chat_completion_request : undefined;
  if (!isObject(answer) || !isObject(call)) return answer;
  const request_id = call.request_id ?? crypto.randomUUID();
  return { ...answer, chat_completion_request: { ...call, request_id } };
}

/**
 * Answers made elsewhere are stored once per `request_id`. Those without one get it here: the call is a PUT, which has
 * no idempotency key, and each try would store them anew.
 */
export function withRequestIds(path: string, body: unknown): unknown {
  if (path === ONE) return identified(body);
  if (path !== SEVERAL || !isObject(body) || !Array.isArray(body.items)) return body;
  return { ...body, items: body.items.map(identified) };
}
