// The program of the attacking company: its model, the target of its action, and its requests.
import { setPriority } from 'node:os';
import { startHttpTarget, startModelProvider } from '@signalbox/testing';
import { answer } from '../measure/child.js';
import { type Attacked, attacksOn, LARGE_BODY, SHORT_PATH, SLOW_ANSWER } from './attacks.js';

/** What the parent asks for: the addresses of the model and the target, or attacks for some seconds. */
export type AttackerRequest = { kind: 'addresses' } | ({ kind: 'attack'; seconds: number } & Target);

interface Target {
  baseUrl: string;
  key: string;
  attacked: Attacked;
  /** The attacks by name. */
  names: readonly string[];
}

/** Requests by attack and how they ended, such as `like 200`. */
export type AttackReport = Record<string, number>;

/** The addresses of what the attacker runs. */
export interface Addresses {
  provider: string;
  target: string;
}

// The clients of an attacker are on other machines; here they get what CPU time is left.
setPriority(19);
const [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
target.answerWith(({ path }) => ({ body: path === SHORT_PATH ? 'short' : LARGE_BODY }));
provider.answerWith(({ messages, response_format }) => {
  if (response_format) return SLOW_ANSWER;
  return messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'look_up', arguments: { id: '1' } }] };
});

/** Schemas sent so far. */
let times = 0;

async function attack({ baseUrl, key, attacked, names }: Target, seconds: number): Promise<AttackReport> {
  const report: AttackReport = {};
  const end = performance.now() + seconds * 1000;
  const repeat = async (name: string, next: (time: number) => { path: string; body: object; limitMs: number }) => {
    // Once at least: a machine may be so busy that the time is over before an attacker of the lowest priority begins.
    do {
      const { path, body, limitMs } = next(++times);
      const status = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'X-Service-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(limitMs),
      }).then(
        async (reply) => (await reply.text(), reply.status),
        () => 'left',
      );
      const ended = `${name} ${status}`;
      report[ended] = (report[ended] ?? 0) + 1;
    } while (performance.now() < end);
  };
  const chosen = Object.entries(attacksOn(attacked)).filter(([name]) => names.includes(name));
  await Promise.all(chosen.map(([name, next]) => repeat(name, next)));
  // What a target and a model record of large calls would fill the memory.
  provider.calls.length = 0;
  target.calls.length = 0;
  return report;
}

answer<AttackerRequest>(
  (request): Promise<Addresses | AttackReport> =>
    request.kind === 'addresses'
      ? Promise.resolve({ provider: provider.url, target: target.url })
      : attack(request, request.seconds),
  async () => void (await Promise.all([provider.close(), target.close()])),
);
