import { Egress, type ResolvedAddress } from '@signalbox/egress';
import { startHttpTarget, type HttpTarget } from '@signalbox/testing';
import { startWiretap, type Wiretap } from './wiretap.js';

const ALLOWED = { address: '127.0.0.2', family: 4 };
const FORBIDDEN = { address: '127.0.0.1', family: 4 };

/** A target and a wiretap on the same port of two addresses; a port that is free on one may be in use on the other. */
async function onOnePort(): Promise<[HttpTarget, Wiretap]> {
  for (;;) {
    const target = await startHttpTarget({ host: '127.0.0.2' });
    try {
      return [target, await startWiretap('127.0.0.1', target.port)];
    } catch (error) {
      await target.close();
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    }
  }
}

describe('names and sockets', () => {
  let target: HttpTarget;
  let forbidden: Wiretap;
  let egress: Egress;
  let answers: ResolvedAddress[][];
  let asked: number;

  beforeEach(async () => {
    [target, forbidden] = await onOnePort();
    asked = 0;
    egress = new Egress({
      allow: [],
      lookup: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!),
    });
  });

  afterEach(async () => {
    await egress.close();
    await Promise.all([target.close(), forbidden.close()]);
  });

  // A socket returns to its pool shortly after its response was read.
  const settled = () => new Promise((resolve) => setTimeout(resolve, 30));
  const call = (allow: string[] = ['127.0.0.2/32']) =>
    egress.fetch({ url: `http://rebind.example:${target.port}/`, method: 'GET', timeoutMs: 2_000, allow });

  it('connects to exactly the checked address when the resolver changes its result', async () => {
    answers = [[ALLOWED], [FORBIDDEN]];
    expect((await call()).status).toBe(200);
    await settled();
    target.answerWith(() => ({ headers: { connection: 'close' } }));
    await call();
    expect(asked).toBe(1);
    await settled();
    await expect(call()).rejects.toMatchObject({ kind: 'egress_denied', reason: 'address' });
    expect([forbidden.connections, forbidden.bytes]).toEqual([0, 0]);
  });

  it.each([
    ['first', [FORBIDDEN, ALLOWED]],
    ['last', [ALLOWED, FORBIDDEN]],
    ['as IPv6', [ALLOWED, { address: '::1', family: 6 }]],
    ['mapped', [ALLOWED, { address: '::ffff:127.0.0.2', family: 6 }]],
    ['as nonsense', [ALLOWED, { address: 'nonsense', family: 4 }]],
  ])('refuses a name when one of its addresses is forbidden, be it %s', async (_, mixed) => {
    answers = [mixed];
    await expect(call()).rejects.toMatchObject({ kind: 'egress_denied' });
    expect([target.calls.length, forbidden.connections]).toEqual([0, 0]);
  });

  it('does not carry a call over a socket that was opened under another permission', async () => {
    answers = [[ALLOWED]];
    await call();
    await settled();
    await call();
    expect(asked).toBe(1);
    await settled();
    await expect(call([])).rejects.toMatchObject({ kind: 'egress_denied' });
    await expect(call(['127.0.0.3/32'])).rejects.toMatchObject({ kind: 'egress_denied' });
    expect(target.calls).toHaveLength(2);
  });

  it('a host named with its port may be private', async () => {
    answers = [[ALLOWED]];
    expect((await call([`rebind.example:${target.port}`])).status).toBe(200);
    await expect(call([`rebind.example:${target.port + 1}`])).rejects.toMatchObject({ kind: 'egress_denied' });
  });

  it('reports an unknown name without naming the resolver', async () => {
    answers = [[]];
    await expect(call()).rejects.toMatchObject({ kind: 'egress_failed', reason: 'dns' });
  });

  it('reports a refused connection without naming the address', async () => {
    answers = [[{ address: '127.0.0.3', family: 4 }]];
    await expect(call(['127.0.0.3/32'])).rejects.toMatchObject({
      kind: 'egress_failed',
      message: 'the connection was refused',
    });
  });
});
