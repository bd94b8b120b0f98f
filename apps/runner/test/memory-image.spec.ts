import { MemoryImage } from '../src/child/javascript/memory-image.js';
import { wasmMemory } from '../src/child/javascript/webassembly.js';

const PAGE = 65_536;
const bytes = ({ buffer }: { buffer: ArrayBuffer }): Uint8Array => new Uint8Array(buffer);

describe('the image of an engine', () => {
  it('restores every byte, of pages with and without content', () => {
    const memory = wasmMemory(64, 128);
    bytes(memory).set([1, 2, 3], 5 * PAGE + 17);
    const before = Buffer.from(bytes(memory));
    const image = new MemoryImage(memory);
    for (const change of [() => bytes(memory).fill(7), () => bytes(memory).set([9], 64 * PAGE - 1)]) {
      change();
      expect(image.restore()).toBe(true);
      expect(before.equals(bytes(memory))).toBe(true);
    }
  });

  it('restores no memory that has grown', () => {
    const memory = wasmMemory(64, 128);
    const image = new MemoryImage(memory);
    memory.grow(1);
    expect(image.restore()).toBe(false);
  });
});
