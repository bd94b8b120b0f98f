// The program of the attacking company: its model, the target of its action, and its requests.
import { setPriority } from 'node:os';
import { startHttpTarget, startModelProvider } from '@signalbox/testing';
import { answer } from '../measure/answer.js';
import { type Attack, type Attacked, attacksOn, LARGE_BODY, SHORT_PATH, SLOW_ANSWER } from './attacks.js';
import { DEAD_PATH, type Flooded, type FloodRequest, floodsOn } from './floods.js';

/** What the parent asks for: the addresses of the model and the target, or attacks or a flood for some seconds. */
export type AttackerRequest =
  | { kind: 'addresses' }
  | ({ kind: 'attack'; attacked: Attacked; names: readonly string[] } & Target)
  | ({ kind: 'flood'; flooded: Flooded; name: string; connections?: number } & Target);

/** The company whose key is used, and for how long. */
interface Target {
  baseUrl: string;
  key: string;
  seconds: number;
  /** The nice value of the clients; 19 gives them what CPU time is left, as clients on other machines take none. */
  nice: number;
}

/** Requests by attack and how they ended, such as `like 200`. */
export type AttackReport = Record<string, number>;

/** The addresses of what the attacker runs. */
export interface Addresses {
  provider: string;
  target: string;
}

const [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
target.answerWith(({ path }) => {
  if (path === DEAD_PATH) return { hang: true };
  return { body: path === SHORT_PATH ? 'short' : LARGE_BODY };
});
provider.answerWith(({ messages, response_format }) => {
  if (response_format) return SLOW_ANSWER;
  return messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'look_up', arguments: { id: '1' } }] };
});

/** Schemas sent so far. */
let times = 0;

/** Sends requests one after the other for some seconds, and counts how they end. */
async function repeat(
  { baseUrl, key, seconds }: Target,
  report: AttackReport,
  name: string,
  next: (time: number) => FloodRequest,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  // Once at least: a machine may be so busy that the time is over before an attacker of the lowest priority begins.
  do {
    const { method = 'POST', path, body, contentType = 'application/json', limitMs, expect = '' } = next(++times);
    const status = await fetch(baseUrl + path, {
      method,
      headers: { 'X-Service-Api-Key': key, 'Content-Type': contentType },
      body,
      signal: AbortSignal.timeout(limitMs),
    }).then(
      async (reply) => ((await reply.text()).includes(expect) ? reply.status : `${reply.status} without its work`),
      () => 'left',
    );
    const ended = `${name} ${status}`;
    report[ended] = (report[ended] ?? 0) + 1;
  } while (performance.now() < end);
}

async function attack(request: Exclude<AttackerRequest, { kind: 'addresses' }>): Promise<AttackReport> {
  const report: AttackReport = {};
  setPriority(request.nice);
  if (request.kind === 'flood') {
    const { name } = request;
    const flood = floodsOn(request.flooded)[name];
    if (!flood) throw new Error(`there is no flood of ${name}`);
    const { connections = flood.connections } = request;
    await Promise.all(Array.from({ length: connections }, () => repeat(request, report, name, flood.next)));
  } else {
    const chosen = Object.entries(attacksOn(request.attacked)).filter(([name]) => request.names.includes(name));
    const sent = ({ body, ...rest }: Attack): FloodRequest => ({ ...rest, body: JSON.stringify(body) });
    await Promise.all(chosen.map(([name, next]) => repeat(request, report, name, (time) => sent(next(time)))));
  }
  // What a target and a model record of large calls would fill the memory.
  provider.calls.length = 0;
  target.calls.length = 0;
  return report;
}

answer<AttackerRequest>(
  (request): Promise<Addresses | AttackReport> =>
    request.kind === 'addresses' ? Promise.resolve({ provider: provider.url, target: target.url }) : attack(request),
  async () => void (await Promise.all([provider.close(), target.close()])),
);
