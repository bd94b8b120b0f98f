import { createHash } from 'node:crypto';

const BLOCK = 64;
const WORDS = 8;

/** The first 32 bits of the fraction of a root of a prime, as SHA-256 defines its constants. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

const PRIMES = firstPrimes(BLOCK);
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const INITIAL = Int32Array.from(PRIMES.slice(0, WORDS), (prime) => fraction(Math.sqrt(prime)));

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function schedule(block: Uint8Array): Int32Array {
  const w = new Int32Array(BLOCK);
  const bytes = new DataView(block.buffer, block.byteOffset, BLOCK);
  for (let i = 0; i < 16; i++) w[i] = bytes.getInt32(i * 4);
  for (let i = 16; i < BLOCK; i++) {
    const [a, b] = [w[i - 15]!, w[i - 2]!];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  return w;
}

/** FIPS 180-4. */
function compress(state: Int32Array, block: Uint8Array): Int32Array {
  const w = schedule(block);
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < BLOCK; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  return Int32Array.from([a, b, c, d, e, f, g, h], (word, i) => word + state[i]!);
}

const bytesOf = (state: Int32Array): Buffer => {
  const bytes = Buffer.alloc(WORDS * 4);
  state.forEach((word, i) => bytes.writeInt32BE(word, i * 4));
  return bytes;
};
const stateIn = (bytes: Buffer): Int32Array => Int32Array.from({ length: WORDS }, (_, i) => bytes.readInt32BE(i * 4));

function finish(start: Int32Array, message: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(BLOCK + message.length) * 8n, padded.length - 8);
  let state = start;
  for (let at = 0; at < padded.length; at += BLOCK) state = compress(state, padded.subarray(at, at + BLOCK));
  return bytesOf(state);
}

/**
 * The state of HMAC-SHA-256 after its key, 64 bytes: it suffices to compute every digest of that key, but reveals
 * neither the key nor what it was derived from.
 */
export function hmacState(key: string): Buffer {
  const bytes = Buffer.from(key);
  const block = Buffer.alloc(BLOCK);
  (bytes.length > BLOCK ? createHash('sha256').update(bytes).digest() : bytes).copy(block);
  const after = (pad: number): Buffer =>
    bytesOf(
      compress(
        INITIAL,
        block.map((byte) => byte ^ pad),
      ),
    );
  return Buffer.concat([after(0x36), after(0x5c)]);
}

export function hmacOf(state: Buffer, text: string): Buffer {
  const [inner, outer] = [state.subarray(0, 32), state.subarray(32, 64)];
  return finish(stateIn(outer), finish(stateIn(inner), Buffer.from(text)));
}
