import { randomUUID } from 'node:crypto';
import { observedCalls, readCaller, readCallSubject } from '@signalbox/bus';
import { companies, type Endpoint, fieldsOf, sameJson, type Scope, SCOPES } from '@signalbox/contracts';
import { newKeyText } from '@signalbox/platform';
import { eventually, type Platform } from '../platform/platform.js';
import type { HttpTarget } from '../fakes/http-target.js';
import { CASES } from './cases/cases.js';
import { RawClient, type RawOptions } from './raw-client.js';
import { refusalProblems } from './refusals.js';
import { idPaths, unknownLike, valueAt, withValueAt } from './ids.js';
import { errorProblems, outputProblems } from './outputs.js';
import { ConformanceFixtures } from './fixtures.js';
import { PUBLIC_ENDPOINTS, nameOf, tableFaults } from './public-endpoints.js';

/** Calls to a service that is known to be down do not wait; these are ninety at once, on any machine. */
const AT_ONCE_MS = 10_000;
const ENDLESS = new Set(PUBLIC_ENDPOINTS.filter(({ endless }) => endless).map(({ subject }) => subject));

const SORTS = ['id', 'date_created', 'date_updated'].flatMap((name) => [name, `-${name}`]);

/** A platform under test: two companies, and a count of the calls that reached each service. */
export class Inspection {
  private readonly reached = new Map<string, Set<string>>();
  private readonly scoped = new Map<string, Promise<string>>();
  private readonly inputs = new Map<Endpoint, Promise<Record<string, unknown>>>();
  /** A subscriber counts as a responder. */
  readonly stopCounting: () => void;

  private constructor(
    readonly platform: Platform,
    readonly rawClient: RawClient,
    readonly ours: ConformanceFixtures,
    readonly theirs: ConformanceFixtures,
  ) {
    const calls = platform.connection.nats.subscribe('rpc.>', {
      callback: (_error, message) => observedCalls(message).forEach((call) => this.count(call)),
    });
    this.stopCounting = () => calls.unsubscribe();
  }

  static async of(platform: Platform, target: HttpTarget): Promise<Inspection> {
    const rawClient = new RawClient(platform.baseUrl, { keepAlive: true });
    const [ours, theirs] = await Promise.all([platform.company(), platform.company()]);
    return new Inspection(
      platform,
      rawClient,
      new ConformanceFixtures(rawClient, ours.companyId, ours.key, target),
      new ConformanceFixtures(rawClient, theirs.companyId, theirs.key, target),
    );
  }

  input(endpoint: Endpoint, fixtures = this.ours): Promise<Record<string, unknown>> {
    const make = CASES[nameOf(endpoint)];
    if (!make) throw new Error(tableFaults([endpoint], {})[0]);
    return Promise.resolve(make(fixtures));
  }

  /**
   * For calls that are refused before their resources are looked up: created once, because creating them costs more
   * than such a call.
   */
  inputToRefuse(endpoint: Endpoint): Promise<Record<string, unknown>> {
    let input = this.inputs.get(endpoint);
    if (!input) this.inputs.set(endpoint, (input = this.input(endpoint)));
    return input;
  }

  async entries(endpoint: Endpoint): Promise<number> {
    await this.platform.connection.nats.flush();
    return this.reached.get(endpoint.subject)?.size ?? 0;
  }

  /** An endless stream calls its service repeatedly: all its calls are one request. */
  private count({ subject, headers }: ReturnType<typeof observedCalls>[number]): void {
    const { endpoint } = readCallSubject(subject);
    const requests = this.reached.get(endpoint) ?? new Set();
    this.reached.set(endpoint, requests.add(ENDLESS.has(endpoint) ? readCaller(headers).requestId : randomUUID()));
  }

  keyWithout(scope: Scope): Promise<string> {
    let key = this.scoped.get(scope);
    if (!key) {
      const rest = SCOPES.filter((other) => other !== scope);
      this.scoped.set(scope, (key = this.ours.newApiKey(rest).then((created) => String(created.key))));
    }
    return key;
  }

  async badCredentials(): Promise<[string, RawOptions][]> {
    const { key } = this.ours;
    const [revoked, expired] = await Promise.all([
      this.revokedKey('revoked_at = 1'),
      this.revokedKey('expires_at = 1'),
    ]);
    return [
      ['no key', {}],
      ['an empty key', { key: '' }],
      ['garbage', { key: 'garbage' }],
      ['SQL for a key', { key: "svk_' OR '1'='1" }],
      ['a key with a bad check', { key: key.slice(0, -1) + (key.endsWith('0') ? '1' : '0') }],
      ['a well-formed key that was never issued', { key: newKeyText().text }],
      ['a revoked key', { key: revoked }],
      ['an expired key', { key: expired }],
      ['two keys', { key, headers: [['X-Service-Api-Key', key]] }],
      ['a key in the query', { query: `api_key=${key}` }],
      ['a key under Basic', { headers: [['Authorization', `Basic ${Buffer.from(`x:${key}`).toString('base64')}`]] }],
    ];
  }

  private async revokedKey(set: string): Promise<string> {
    const created = await this.ours.newApiKey(['read', 'write', 'invoke', 'admin']);
    await this.platform.sql.query(`UPDATE accounts.api_keys SET ${set} WHERE id = $1`, [created.id]);
    return String(created.key);
  }

  async keyProblems(endpoint: Endpoint, bad: readonly [string, RawOptions][]): Promise<string[]> {
    if (endpoint.scope === 'none') return [];
    const input = await this.inputToRefuse(endpoint);
    const before = await this.entries(endpoint);
    const problems: string[] = [];
    for (const [name, options] of bad) {
      const reply = await this.rawClient.send(endpoint, input, options);
      problems.push(...errorProblems(reply, [401]).map((problem) => `${name}: ${problem}`));
    }
    if (endpoint.scope !== 'any') {
      const reply = await this.rawClient.send(endpoint, input, { key: await this.keyWithout(endpoint.scope) });
      problems.push(...errorProblems(reply, [403]).map((problem) => `without ${endpoint.scope}: ${problem}`));
    }
    if ((await this.entries(endpoint)) !== before) problems.push('the handler was called');
    return problems;
  }

  async junkProblems(endpoint: Endpoint): Promise<string[]> {
    const input = await this.inputToRefuse(endpoint);
    const before = await this.entries(endpoint);
    const problems = await refusalProblems(endpoint, (values) =>
      this.rawClient.send(endpoint, { ...input, ...values }, { key: this.ours.key }),
    );
    if ((await this.entries(endpoint)) !== before) problems.push('the handler was called');
    return problems;
  }

  /** A foreign id and one that never existed get the same reply, byte by byte, at every path that accepts one. */
  async foreignProblems(endpoint: Endpoint): Promise<string[]> {
    const [input, theirs] = await Promise.all([this.input(endpoint), this.input(endpoint, this.theirs)]);
    const problems: string[] = [];
    for (const path of idPaths(endpoint, input)) {
      const value = valueAt(input, path);
      const ask = (other: unknown) =>
        this.rawClient.send(endpoint, withValueAt(input, path, other), { key: this.ours.key });
      const foreign = await ask(valueAt(theirs, path));
      const unknown = await ask(unknownLike(value));
      const place = path.join('.');
      const filter = endpoint.method === 'GET' && !(endpoint.path ?? '').includes(`{${place}}`);
      if (foreign.status !== unknown.status || foreign.text !== unknown.text)
        problems.push(
          `${place}: a foreign id gets ${foreign.text.slice(0, 200)}, an unknown one ${unknown.text.slice(0, 200)}`,
        );
      // A filter may also find nothing.
      if (!filter || foreign.status !== 200)
        problems.push(...errorProblems(foreign, [404]).map((problem) => `${place}: ${problem}`));
      else if ((JSON.parse(foreign.text) as { data: unknown[] }).data.length > 0)
        problems.push(`${place}: a foreign id finds something`);
    }
    return problems;
  }

  /**
   * A valid call succeeds, reaches its service (unless the gateway serves it itself), and its reply matches the
   * declared output.
   */
  async reachProblems(endpoint: Endpoint): Promise<string[]> {
    const input = await this.input(endpoint);
    const before = await this.entries(endpoint);
    const reply = await this.rawClient.send(endpoint, input, { key: this.ours.key });
    if (reply.status !== 200) return [`status ${reply.status}: ${reply.text.slice(0, 300)}`];
    const asked = (await this.entries(endpoint)) > before;
    const way = asked === endpoint.inProcess ? [`its service was ${asked ? '' : 'not '}called`] : [];
    return [...outputProblems(endpoint, reply), ...way];
  }

  /**
   * A POST whose reply was lost after its effect: the repeat under its idempotency key gets that reply, and has no
   * second effect.
   */
  async repeatProblems(endpoint: Endpoint): Promise<string[]> {
    if (endpoint.method !== 'POST' || endpoint.scope === 'none') return [];
    const input = await this.input(endpoint);
    const idempotencyKey = randomUUID();
    const send = () =>
      this.rawClient.send(endpoint, input, { key: this.ours.key, headers: [['Idempotency-Key', idempotencyKey]] });
    const first = await send();
    if (first.status !== 200) return [`status ${first.status}: ${first.text.slice(0, 300)}`];
    const lost = await this.platform.sql.query(
      `UPDATE "${endpoint.service}".idempotency SET status = NULL, reply = NULL WHERE key = $1 AND effect IS NOT NULL`,
      [idempotencyKey],
    );
    if (lost.rowCount === 0) return ['its effect is not recorded'];
    const again = await send();
    const isSame = sameJson(JSON.parse(again.text), withoutShownOnce(endpoint, JSON.parse(first.text)));
    return isSame ? [] : [`${again.status}: ${again.text.slice(0, 300)} in place of ${first.text.slice(0, 300)}`];
  }

  /**
   * Every list can be sorted by the fields that every record has, in both directions, and by no undeclared field
   * (docs/api/README.md).
   */
  async sortProblems(endpoint: Endpoint): Promise<string[]> {
    const { output } = endpoint;
    if (!('kind' in output) || output.kind !== 'page' || !fieldsOf(endpoint.input).has('sort')) return [];
    const input = await this.input(endpoint);
    const problems: string[] = [];
    for (const name of SORTS) {
      const reply = await this.rawClient.send(endpoint, { ...input, sort: name }, { key: this.ours.key });
      if (reply.status !== 200) problems.push(`sorted by ${name}: status ${reply.status}: ${reply.text.slice(0, 200)}`);
    }
    const reply = await this.rawClient.send(endpoint, { ...input, sort: 'toString' }, { key: this.ours.key });
    return [...problems, ...errorProblems(reply, [400])];
  }

  async settled(): Promise<void> {
    await eventually('keys are resolved again', async () => {
      const reply = await this.rawClient.send(companies.endpoints.getCompany, {}, { key: this.ours.key });
      return reply.status === 200;
    });
  }

  /** Created while the service still runs. */
  inputWhileDown(endpoint: Endpoint): Promise<Record<string, unknown>> {
    return endpoint.inProcess ? this.input(endpoint) : this.inputToRefuse(endpoint);
  }

  /** With its service stopped a call is 503 long before its deadline; endpoints served by the gateway itself continue. */
  async downProblems(endpoint: Endpoint, input: Record<string, unknown>): Promise<string[]> {
    const started = Date.now();
    const reply = await this.rawClient.send(endpoint, input, { key: this.ours.key });
    const late = Date.now() - started > AT_ONCE_MS;
    const problems = endpoint.inProcess ? outputProblems(endpoint, reply) : errorProblems(reply, [503]);
    return [...problems, ...(late ? [`answered after ${Date.now() - started} ms`] : [])];
  }
}

function withoutShownOnce({ output }: Endpoint, reply: unknown): unknown {
  if ('kind' in output) return reply;
  const { data, ...rest } = reply as { data?: object };
  const hidden = [...fieldsOf(output).values()].filter(({ shownOnce }) => shownOnce).map(({ name }) => [name, null]);
  return hidden.length === 0 ? reply : { ...rest, data: { ...data, ...(Object.fromEntries(hidden) as object) } };
}
