import { SecretBag } from '@signalbox/egress';
import { SecretHolder, SuspendedRuns } from '@signalbox/runs';

function world() {
  const secrets = new SecretHolder();
  const ended = new Set<string>();
  const asked: [number, readonly string[]][] = [];
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
            return Promise.resolve(ids.filter((id) => ended.has(id)));
          },
        },
      },
    ],
  );
  const suspend = (companyId: number, runId: string): void => {
    secrets.hold(runId, new SecretBag({ TOKEN: 'secret' }));
    suspended.suspend(companyId, runId);
  };
  return { secrets, ended, asked, listening, suspended, suspend };
}

describe('a suspended run with secrets', () => {
  it('keeps them until it continues', async () => {
    const { secrets, suspended, suspend, listening } = world();
    suspend(1, 'a');
    await suspended.sweep();
    expect(secrets.of('a')).toBeDefined();
    suspended.resume('a');
    expect(listening.size).toBe(0);
    suspended.release('a');
    expect(secrets.of('a')).toBeUndefined();
  });

  it('drops them when the notification of its end arrives', () => {
    const { secrets, suspend, listening } = world();
    suspend(1, 'a');
    listening.get('a')?.();
    expect([secrets.of('a'), listening.size]).toEqual([undefined, 0]);
  });

  it('drops them when it has ended and the notification was lost', async () => {
    const { secrets, ended, asked, suspended, suspend, listening } = world();
    suspend(1, 'a');
    suspend(1, 'b');
    suspend(2, 'c');
    ended.add('b').add('c');
    await suspended.sweep();
    expect(asked).toEqual([
      [1, ['a', 'b']],
      [2, ['c']],
    ]);
    expect([secrets.of('a') !== undefined, secrets.of('b'), secrets.of('c')]).toEqual([true, undefined, undefined]);
    expect([...listening.keys()]).toEqual(['a']);
    await suspended.sweep();
    expect(asked).toHaveLength(3);
  });
});
