import { RunnerWorld } from './world.js';

describe('a runner with little memory', () => {
  it('compiles Python, one script at a time', async () => {
    const small = await RunnerWorld.start({ SCRIPT_MEMORY_MB: '256' });
    try {
      const caller = { companyId: 1, deadline: Date.now() + 140_000 };
      const compiled = [1, 2].map(() => small.runner.compile(caller, 'python', 'def execute(ctx): pass'));
      expect((await Promise.all(compiled)).map(({ problems }) => problems)).toEqual([[], []]);
    } finally {
      await small.stop();
    }
  }, 200_000);
});
