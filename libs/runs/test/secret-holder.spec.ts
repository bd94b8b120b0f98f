import { ApiError, conflict } from '@signalbox/contracts';
import { SecretBag } from '@signalbox/egress';
import { SecretHolder } from '../src/secrets/secret-holder.js';

const { jest } = import.meta;
const away = new ApiError('unavailable', 'the connection was lost');
let holder: SecretHolder;
beforeEach(() => {
  jest.useFakeTimers();
  holder = new SecretHolder();
  holder.hold('run', new SecretBag({ KEY: 'value' }));
});
afterEach(() => jest.useRealTimers());

describe('the secrets of a run whose acceptance has failed', () => {
  it('are dropped when it was refused', async () => {
    await holder.forgetUnaccepted('run', conflict('no'), () => Promise.resolve(false));
    expect(holder.of('run')).toBeUndefined();
  });

  it('stay when the same call, sent twice, was accepted the first time', async () => {
    holder.keepHookKey('run', 'hash', 'key');
    holder.hold('run', new SecretBag({ KEY: 'value' }));
    await holder.forgetUnaccepted('run', conflict('it exists'), () => Promise.resolve(true));
    expect(holder.of('run')).toBeDefined();
    expect(holder.hookKeyOf('run', 'hash')).toBe('key');
  });

  it.each([
    [true, true],
    [false, false],
  ])('stay while the database is away, and then by whether it was committed: %p', async (exists, stay) => {
    const answers = [() => Promise.reject(away), () => Promise.resolve(exists)];
    const done = holder.forgetUnaccepted('run', away, () => answers.shift()!());
    await jest.advanceTimersByTimeAsync(15_000);
    expect(holder.of('run')).toBeDefined();
    await jest.advanceTimersByTimeAsync(15_000);
    await done;
    expect(holder.of('run') !== undefined).toBe(stay);
  });
});
