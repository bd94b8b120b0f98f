import { randomUUID } from 'node:crypto';
import { createLogger } from '@signalbox/platform';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { RepeatedCalls } from '../src/chat/repeated-calls.js';
import { PayloadOffload } from '../src/payload-offload/payload-offload.js';
import { recordOf } from '../src/request-records/request-record.js';
import { RequestReader } from '../src/request-reads/request-reader.repository.js';
import { requestWriter } from './request-writer.js';

const COMPANY = 1;
const USAGE = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5, cost: 0.5 };

let servers: TestServers;
let open: OpenDatabase;
let requests: RequestReader;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'traffic');
  const parts = new PayloadOffload(open.db, null as never, null as never, createLogger('traffic', 'silent'));
  requests = new RequestReader(open.db, parts, null as never, null as never);
}, 60_000);
afterAll(async () => {
  await open.close();
  await servers.stop();
});

const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'paid' }, finish_reason: 'stop' }] };

/** What is recorded of two calls under one id: the first has failed, and was repeated by a caller that was interrupted. */
async function recordTwice(requestId: string): Promise<void> {
  const call = {
    requestId,
    companyId: COMPANY,
    place: { applicationId: null, intentId: null, intentGroupId: null },
    sessionId: null,
    inSession: false,
    referenceId: null,
    requestType: 'SYNTHETIC' as const,
    origin: 'TEST' as const,
    inferenceLocation: 'SERVER' as const,
    model: 'm',
    provider: 'p',
    metadata: {},
    params: { messages: [] },
    fallback: null,
    usage: USAGE,
    firstTokenMs: null,
    responseMs: 1,
  };
  const failure = { failureClass: 'provider' as const, message: 'interrupted' };
  const began = Date.now() - 5000;
  await requestWriter(open.db).insertOf(COMPANY, [
    recordOf({ ...call, answer: null, failure, began }),
    recordOf({ ...call, answer, failure: null, began: began + 1000 }),
  ]);
}

describe('a call that was repeated because it had failed', () => {
  it('is read as the answered one', async () => {
    const id = randomUUID();
    await recordTwice(id);
    expect(JSON.parse((await requests.get(COMPANY, id)).text)).toMatchObject({ status: 'COMPLETED', response: answer });
    expect((await requests.responses(COMPANY, id)).original).toEqual(answer);
  });

  it('is not paid for again when its caller asks a new process', async () => {
    const id = randomUUID();
    await recordTwice(id);
    const pay = () => Promise.reject(new Error('a third call'));
    const found = await new RepeatedCalls(requests).once(COMPANY, id, new AbortController().signal, pay);
    expect(found).toMatchObject({ request_id: id, message: { content: 'paid' }, usage: USAGE });
  });
});
