import { SecretBag } from '@signalbox/egress';
import { SuspendedTasks } from '../src/tasks/loop/suspended-tasks.js';
import { SecretHolder } from '../src/secrets/secret-holder.js';

function world() {
  const secrets = new SecretHolder();
  const ended = new Set<string>();
  const asked: [number, readonly string[]][] = [];
  const listening = new Map<string, () => void>();
  const resting = new SuspendedTasks(
    secrets,
    { forget: () => undefined },
    {
      onEnd: (taskId, heard) => {
        listening.set(taskId, heard);
        return () => listening.delete(taskId);
      },
    },
    {
      endedAmong: (companyId, ids) => {
        asked.push([companyId, ids]);
        return Promise.resolve(ids.filter((id) => ended.has(id)));
      },
    },
  );
  const rest = (companyId: number, taskId: string): void => {
    secrets.hold(taskId, new SecretBag({ TOKEN: 'secret' }));
    resting.rest(companyId, taskId);
  };
  return { secrets, ended, asked, listening, resting, rest };
}

describe('a task that rests with secrets', () => {
  it('keeps them until it goes on', async () => {
    const { secrets, resting, rest, listening } = world();
    rest(1, 'a');
    await resting.sweep();
    expect(secrets.of('a')).toBeDefined();
    resting.wake('a');
    expect(listening.size).toBe(0);
    resting.release('a');
    expect(secrets.of('a')).toBeUndefined();
  });

  it('loses them when it ends, by news', () => {
    const { secrets, rest, listening } = world();
    rest(1, 'a');
    listening.get('a')?.();
    expect([secrets.of('a'), listening.size]).toEqual([undefined, 0]);
  });

  it('loses them when it has ended and no news came', async () => {
    const { secrets, ended, asked, resting, rest, listening } = world();
    rest(1, 'a');
    rest(1, 'b');
    rest(2, 'c');
    ended.add('b').add('c');
    await resting.sweep();
    expect(asked).toEqual([
      [1, ['a', 'b']],
      [2, ['c']],
    ]);
    expect([secrets.of('a') !== undefined, secrets.of('b'), secrets.of('c')]).toEqual([true, undefined, undefined]);
    expect([...listening.keys()]).toEqual(['a']);
    await resting.sweep();
    expect(asked).toHaveLength(3);
  });
});
