/** The ids that the attacks address, all of one company. */
export interface Attacked {
  /** An agent whose rule matches by `like`. */
  likedId: number;
  /** An agent whose rule matches by a regular expression. */
  matchedId: number;
  /** An agent whose action sends secrets, to a target that answers with almost 5 MB. */
  secretiveId: number;
  /** An agent with an action, without secrets and with a short answer. */
  plainId: number;
}

/** One expensive request. */
export interface Attack {
  path: string;
  body: object;
  /** The client leaves after this time; the work continues. */
  limitMs: number;
}

export const SECRETS = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, name.repeat(8000)]));
/** The values of the rules that the attacks test: 19 kB of one letter, and RE2 instructions by the thousand. */
export const SLOW_LIKE = `%${'a'.repeat(19_000)}b%`;
export const SLOW_PATTERN = '[ab]*a[ab]{900}c';
/** Requests to this path of the target are answered with a few bytes. */
export const SHORT_PATH = '/short';
/** The body with which the target of the action answers elsewhere. */
export const LARGE_BODY = 'a'.repeat(4_900_000);
/** The answer of the model when a schema is asked for: the longest way through its pattern. */
export const SLOW_ANSWER = JSON.stringify(`${'a'.repeat(40)}!`);

const LIMIT_MS = 10_000;
/** A task whose answer costs too much to check ends late. */
const SCHEMA_LIMIT_MS = 3000;

/** Letters in no order: the states that a pattern can be in do not repeat. */
function letters(length: number): string {
  let state = 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) & 1 ? 'a' : 'b';
  };
  return Array.from({ length }, next).join('');
}

/**
 * The attacks by name, each repeated without a pause; a schema is new each time, so none is known yet. `ordinary` is none:
 * the calls of a client that invokes an agent again and again.
 */
export function attacksOn({
  likedId,
  matchedId,
  secretiveId,
  plainId,
}: Attacked): Record<string, (time: number) => Attack> {
  const route = (agentId: number, content: string): Attack => ({
    path: `/agents/${agentId}/routing/test`,
    body: { messages: [{ role: 'user', content }] },
    limitMs: LIMIT_MS,
  });
  const invoke = (more: object, limitMs: number): Attack => ({
    path: `/agents/${secretiveId}/invoke`,
    body: { message: 'hello', secrets: SECRETS, ...more },
    limitMs,
  });
  const liked = route(likedId, 'a'.repeat(900_000));
  const matched = route(matchedId, `c${letters(400_000)}`);
  const slowSchema = (time: number): object => ({
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', schema: { type: 'string', pattern: `^(?=(a+)+$)b${time}` } },
    },
  });
  return {
    like: () => liked,
    matches: () => matched,
    scrubber: () => invoke({}, LIMIT_MS),
    schema: (time) => invoke(slowSchema(time), SCHEMA_LIMIT_MS),
    ordinary: () => ({ path: `/agents/${plainId}/invoke`, body: { message: 'hello' }, limitMs: LIMIT_MS }),
  };
}
