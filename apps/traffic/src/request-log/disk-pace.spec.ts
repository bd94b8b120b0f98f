import { DiskPace } from './disk-pace.js';

describe('the pace of a disk', () => {
  let now = 1000;
  const pace = (): DiskPace => new DiskPace(() => now);
  const writeOf = (ms: number) => (): number => (now += ms);

  it('lets the event loop write a few lines, and no large answers', () => {
    expect([pace().allows(2000), pace().allows(10_000_000)]).toEqual([true, false]);
  });

  it('keeps writes out of the event loop for five seconds after a slow one, also one that failed', () => {
    const quick = pace();
    quick.timed(writeOf(49));
    expect(quick.allows(1)).toBe(true);
    quick.timed(writeOf(50));
    expect(quick.allows(1)).toBe(false);
    now += 4999;
    expect(quick.allows(1)).toBe(false);
    now += 1;
    expect(quick.allows(1)).toBe(true);
    expect(() =>
      quick.timed(() => {
        now += 300;
        throw new Error('the disk is full');
      }),
    ).toThrow('full');
    expect(quick.allows(1)).toBe(false);
  });

  it('keeps writes out of the event loop while a flush takes long', () => {
    const disk = pace();
    disk.flushBegins();
    now += 199;
    expect(disk.allows(1)).toBe(true);
    now += 1;
    expect(disk.allows(1)).toBe(false);
    disk.flushEnded();
    expect(disk.allows(1)).toBe(true);
  });
});
