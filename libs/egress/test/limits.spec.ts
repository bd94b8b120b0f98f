import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Egress, type EgressRequest } from '@signalbox/egress';
import { startHttpTarget, type HttpTarget, type TargetReply, timeScale } from '@signalbox/testing';

const ZEROS = Buffer.alloc(50_000_000);

describe('limits of a response', () => {
  let target: HttpTarget;
  let egress: Egress;

  beforeAll(async () => {
    target = await startHttpTarget();
    egress = new Egress({ allow: ['127.0.0.0/8'] });
  });

  afterAll(async () => {
    await egress.close();
    await target.close();
  });

  const request = (more: Partial<EgressRequest> = {}): EgressRequest => ({
    url: target.url,
    method: 'GET',
    timeoutMs: 60_000,
    ...more,
  });
  const answer = (reply: TargetReply) => target.answerWith(() => reply);
  const encoded = (encoding: string, body: Buffer) => answer({ headers: { 'content-encoding': encoding }, body });
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it.each([
    ['gzip', gzipSync('hello')],
    ['deflate', deflateSync('hello')],
    ['deflate', deflateRawSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['gzip, br', brotliCompressSync(gzipSync('hello'))],
    ['identity', Buffer.from('hello')],
    ['GZIP', gzipSync('hello')],
  ])('decodes %s', async (encoding, body) => {
    encoded(encoding, body);
    expect((await egress.fetch(request())).body.toString()).toBe('hello');
    const streamed = await egress.stream(request());
    expect(await read(streamed.body)).toBe('hello');
  });

  it.each([
    ['gzip', gzipSync(ZEROS)],
    ['deflate', deflateSync(ZEROS)],
    ['br', brotliCompressSync(ZEROS)],
    ['gzip, gzip', gzipSync(gzipSync(ZEROS))],
    ['identity', ZEROS],
  ])('truncates a %s bomb of 50 MB at 5 MB without decoding the rest', async (encoding, body) => {
    encoded(encoding, body);
    const reply = await egress.fetch(request());
    expect([reply.body.length, reply.truncated]).toEqual([5_000_000, true]);
    const streamed = await egress.stream(request());
    await expect(read(streamed.body)).rejects.toMatchObject({ kind: 'egress_failed', reason: 'too_large' });
  });

  it('stops decoding a bomb of 1 GB in 1 MB within 5 MB', async () => {
    const member = gzipSync(Buffer.alloc(1_000_000));
    encoded('gzip', Buffer.concat(Array.from({ length: 1_000 }, () => member)));
    const [started, before] = [Date.now(), process.memoryUsage().rss];
    expect((await egress.fetch(request())).truncated).toBe(true);
    expect(Date.now() - started).toBeLessThan(1_000 * timeScale());
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('returns a body of exactly the limit completely', async () => {
    answer({ body: 'x'.repeat(1_000) });
    expect((await egress.fetch(request({ maxBytes: 1_000 }))).truncated).toBe(false);
    expect((await egress.fetch(request({ maxBytes: 999 }))).truncated).toBe(true);
  });

  it.each([
    ['gzip', 'not gzip'],
    ['br', '\xff\xff\xff'],
    ['zstd', 'x'],
    ['gzip, gzip, gzip, gzip', 'x'],
  ])('fails with an encoding error on an invalid %s body', async (encoding, body) => {
    encoded(encoding, Buffer.from(body, 'latin1'));
    await expect(egress.fetch(request())).rejects.toMatchObject({ kind: 'egress_failed', reason: 'encoding' });
  });

  it('reads responses without a body that declare an encoding', async () => {
    answer({ status: 204, headers: { 'content-encoding': 'gzip' } });
    expect((await egress.fetch(request())).status).toBe(204);
    answer({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('x') });
    expect((await egress.fetch(request({ method: 'HEAD' }))).body).toHaveLength(0);
    answer({ headers: { 'content-encoding': 'gzip' } });
    expect((await egress.fetch(request())).body).toHaveLength(0);
  });

  it('refuses headers over 16 KB', async () => {
    answer({ headers: { 'x-long': 'a'.repeat(17_000) } });
    await expect(egress.fetch(request())).rejects.toMatchObject({ reason: 'headers_too_large' });
    answer({ headers: { 'x-long': 'a'.repeat(15_000) } });
    expect((await egress.fetch(request())).status).toBe(200);
  });

  it('ends a call without a response in time', async () => {
    answer({ hang: true });
    const started = Date.now();
    const call = egress.fetch(request({ timeoutMs: 150 }));
    await expect(call).rejects.toMatchObject({ kind: 'egress_timeout', reason: 'total' });
    // The target never replies.
    expect(Date.now() - started).toBeLessThan(10_000 * timeScale());
  });

  it('ends a body that stalls and reads one that keeps arriving', async () => {
    answer({ headers: { 'content-length': '10' }, body: 'abc' });
    const silent = await egress.stream(request({ idleTimeoutMs: 100 }));
    await expect(read(silent.body)).rejects.toMatchObject({ kind: 'egress_timeout', reason: 'idle' });
  });

  it('counts no time in which the reader waits for something else', async () => {
    answer({ body: 'x'.repeat(3_000_000) });
    const reply = await egress.stream(request({ timeoutMs: 400 * timeScale(), idleTimeoutMs: 300 * timeScale() }));
    await reply.pauseFor(pause(600 * timeScale()));
    expect(await read(reply.body)).toHaveLength(3_000_000);
    answer({ headers: { 'content-length': '10' }, body: 'abc' });
    const stalled = await egress.stream(request({ timeoutMs: 500 }));
    await stalled.pauseFor(pause(10));
    await expect(read(stalled.body)).rejects.toMatchObject({ kind: 'egress_timeout', reason: 'total' });
  });

  it('ends when the caller aborts', async () => {
    answer({ hang: true });
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    await expect(egress.fetch(request({ signal: caller.signal }))).rejects.toMatchObject({ reason: 'aborted' });
    await expect(egress.fetch(request({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('reports a connection that breaks', async () => {
    answer({ reset: true });
    await expect(egress.fetch(request())).rejects.toMatchObject({ kind: 'egress_failed', reason: 'connection' });
  });

  it('sets framing and host itself and refuses invalid headers', async () => {
    answer({});
    const headers = {
      host: 'evil',
      connection: 'close',
      'transfer-encoding': 'chunked',
      'content-length': '3',
      te: 'x',
    };
    await egress.fetch(request({ method: 'POST', body: 'longer', headers }));
    const call = target.calls.at(-1)!;
    expect([call.headers.host, call.headers['content-length'], call.body.toString()]).toEqual([
      `127.0.0.1:${target.port}`,
      '6',
      'longer',
    ]);
    for (const [name, value] of [
      ['x-a', 'b\r\nx-c: d'],
      ['x a', 'b'],
      ['x-a', 'b'.repeat(70_000)],
    ] as const) {
      await expect(egress.fetch(request({ headers: { [name]: value } }))).rejects.toMatchObject({
        reason: 'invalid_request',
      });
    }
  });
});
