import { SecretBag } from '@signalbox/egress';
import { SecretHolder, SuspendedRuns } from '@signalbox/runs';

const open = new AbortController().signal;

function world() {
  const secrets = new SecretHolder();
  const ended = new Set<string>();
  const asked: [number, readonly string[]][] = [];
  const away = new Set<number>();
  const warned: object[] = [];
  const listening = new Map<string, () => void>();
  const suspended = new SuspendedRuns(
    secrets,
    {
      onEnd: (runId, heard) => {
        listening.set(runId, heard);
        return () => listening.delete(runId);
      },
    },
    [
      {
        reads: {
          endedAmong: (companyId, ids) => {
            asked.push([companyId, ids]);
            if (away.has(companyId)) return Promise.reject(new Error('away'));
            return Promise.resolve(ids.filter((id) => ended.has(id)));
          },
        },
      },
    ],
    { warn: (said: object) => void warned.push(said) },
  );
  const suspend = (companyId: number, runId: string): void => {
    secrets.hold(runId, new SecretBag({ TOKEN: 'secret' }));
    suspended.suspend(companyId, runId);
  };
  return { secrets, ended, asked, away, warned, listening, suspended, suspend };
}

describe('a suspended run with secrets', () => {
  it('keeps them until it continues', async () => {
    const { secrets, suspended, suspend, listening } = world();
    suspend(1, 'a');
    await suspended.sweep(open);
    expect(secrets.of('a')).toBeDefined();
    suspended.resume('a');
    expect(listening.size).toBe(0);
    suspended.release('a', secrets.heldFor('a'));
    expect(secrets.of('a')).toBeUndefined();
  });

  it('drops them when the notification of its end arrives', () => {
    const { secrets, suspend, listening } = world();
    suspend(1, 'a');
    listening.get('a')?.();
    expect([secrets.of('a'), listening.size]).toEqual([undefined, 0]);
  });

  it('keeps those with which it has begun anew when the notification of its end arrives', () => {
    const { secrets, suspend, listening } = world();
    suspend(1, 'a');
    const anew = new SecretBag({ TOKEN: 'another' });
    secrets.replace('a', anew);
    listening.get('a')?.();
    expect(secrets.of('a')).toBe(anew);
  });

  it('drops them when it has ended and the notification was lost', async () => {
    const { secrets, ended, asked, suspended, suspend, listening } = world();
    suspend(1, 'a');
    suspend(1, 'b');
    suspend(2, 'c');
    ended.add('b').add('c');
    await suspended.sweep(open);
    expect(asked).toEqual([
      [1, ['a', 'b']],
      [2, ['c']],
    ]);
    expect([secrets.of('a') !== undefined, secrets.of('b'), secrets.of('c')]).toEqual([true, undefined, undefined]);
    expect([...listening.keys()]).toEqual(['a']);
    await suspended.sweep(open);
    expect(asked).toHaveLength(3);
  });
  it('drops them although the runs of another company cannot be read', async () => {
    const { secrets, ended, away, warned, suspended, suspend } = world();
    suspend(1, 'a');
    suspend(2, 'b');
    ended.add('a').add('b');
    away.add(1);
    await suspended.sweep(open);
    expect([secrets.of('a') !== undefined, secrets.of('b')]).toEqual([true, undefined]);
    expect(warned).toMatchObject([{ company_id: 1 }]);
    away.clear();
    await suspended.sweep(open);
    expect(secrets.of('a')).toBeUndefined();
  });
});
