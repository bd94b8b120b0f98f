import { InstanceMemory } from '../src/child/javascript/instance-memory.js';

const bytes = ({ buffer }: { buffer: ArrayBuffer }): Uint8Array => new Uint8Array(buffer);

describe('the memory of instances', () => {
  it('has nothing of the instance before', () => {
    const memory = new InstanceMemory();
    const first = memory.next(32);
    bytes(first).fill(7);
    bytes(memory.next(32)).set([1], 5 * 65_536 + 17);
    const second = memory.next(32);
    expect(second).toBe(first);
    expect(bytes(second).every((byte) => byte === 0)).toBe(true);
  });

  it('is another one when the last one has grown, or has another maximum', () => {
    const memory = new InstanceMemory();
    const small = memory.next(32);
    const large = memory.next(64);
    expect(large).not.toBe(small);
    large.grow(1);
    const next = memory.next(64);
    expect(next).not.toBe(large);
    expect(next.buffer.byteLength).toBe(small.buffer.byteLength);
    expect(() => next.grow(64 * 16)).toThrow(RangeError);
  });
});
