import { withTimeout } from './with-timeout.js';

const never = new Promise<string>(() => undefined);

it('settles like the work', async () => {
  await expect(withTimeout(Promise.resolve('done'), 60_000, () => 'late')).resolves.toBe('done');
  await expect(withTimeout(Promise.reject(new Error('failed')), 60_000, () => 'late')).rejects.toThrow('failed');
});

it('resolves with what is due after the time, or rejects with what that throws', async () => {
  await expect(withTimeout(never, 1, () => 'late')).resolves.toBe('late');
  const late = (): never => {
    throw new Error('late');
  };
  await expect(withTimeout(never, 1, late)).rejects.toThrow('late');
});
