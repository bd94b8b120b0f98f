import { randomUUID } from 'node:crypto';
import { PAYLOAD_REPLY_BYTES, requestPayloads } from '@signalbox/contracts';
import { startTraffic, type Traffic } from './traffic.js';

const DAY_MS = 86_400_000;
const LARGE = 'x'.repeat(PAYLOAD_REPLY_BYTES / 2);

let traffic: Traffic;
let companyId: number;
beforeAll(async () => {
  traffic = await startTraffic();
  ({ companyId } = await traffic.platform.company());
}, 60_000);
afterAll(() => traffic.stop());

interface Inserted {
  params?: string;
  response?: string | null;
  metadata?: string;
  at?: number;
  deleted?: boolean;
  company?: number;
}

async function insert({ params = '{}', response = null, metadata = '{}', ...row }: Inserted = {}): Promise<string> {
  const id = randomUUID();
  await traffic.platform.sql.query(
    `INSERT INTO traffic.requests (company_id, request_id, request_type, model, provider, params, response, status,
       prompt_tokens, completion_tokens, total_tokens, metadata, date_created, deleted_at)
     VALUES ($1, $2, 'PROD', 'a "model"', 'p', $3, $4, 'COMPLETED', 0, 0, 0, $5, $6, $7)`,
    [row.company ?? companyId, id, params, response, metadata, row.at ?? Date.now(), row.deleted ? 1 : null],
  );
  return id;
}

const read = (source_ids: string[]) => {
  const { bus } = traffic.platform;
  return bus.call(requestPayloads.endpoints.readSourcePayloads, { source_ids }, traffic.platform.caller(companyId));
};
const idsOf = ({ payloads }: Awaited<ReturnType<typeof read>>) => payloads.map(({ source_id }) => source_id);

describe('requests as monitors judge them', () => {
  it('are their messages, response, model and metadata', async () => {
    const messages = [{ role: 'user', content: 'zwölf "Äpfel" \u2028 \\ 🌳' }];
    const response = { choices: [{ message: { content: null } }], usage: { total_tokens: 1e21 } };
    const at = Date.now() - 5000;
    const whole = await insert({
      params: `{ "messages" : ${JSON.stringify(messages)},\n "temperature": 0.2}`,
      response: JSON.stringify(response),
      metadata: '{"a": [1, {"b": null}]}',
      at,
    });
    const [bare, none] = [await insert(), await insert({ params: '{"messages":null}' })];
    const reply = await read([whole, bare, none]);
    const model = 'a "model"';
    expect(reply.read).toBe(3);
    expect(reply.payloads[0]).toEqual({
      source_id: whole,
      payload: { request_id: whole, messages, response, model, metadata: { a: [1, { b: null }] } },
      sampled_at: at,
    });
    for (const [n, id] of [bare, none].entries())
      expect(reply.payloads[n + 1]?.payload).toEqual({
        request_id: id,
        messages: [],
        response: null,
        model,
        metadata: {},
      });
  });

  it('are found however old they are, in the order asked for, and in their company alone', async () => {
    const other = (await traffic.platform.company()).companyId;
    const [fresh, old, older] = [
      await insert(),
      await insert({ at: Date.now() - 3 * DAY_MS }),
      await insert({ at: Date.now() - 300 * DAY_MS }),
    ];
    const [deleted, foreign] = [await insert({ deleted: true }), await insert({ company: other })];
    const reply = await read([older, deleted, fresh, randomUUID(), foreign, old]);
    expect(idsOf(reply)).toEqual([older, fresh, old]);
    expect(reply.read).toBe(6);
    expect(idsOf(await read([deleted]))).toEqual([]);
  });

  it('are as many as fit into a reply, an old one among them', async () => {
    const params = JSON.stringify({ messages: [{ role: 'user', content: LARGE }] });
    const ids = [
      await insert({ params }),
      await insert({ at: Date.now() - 3 * DAY_MS }),
      await insert({ params }),
      await insert({ params }),
      await insert({ params }),
    ];
    const first = await read(ids);
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    expect(first.read).toBe(3);
    const second = await read(ids.slice(first.read));
    expect(idsOf(second)).toEqual(ids.slice(3));
    expect(second.read).toBe(2);
  });
});
