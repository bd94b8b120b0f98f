import { ARCHITECTURES, DEPENDENT, MISSING, OF_CONFINEMENT, REFUSED } from './system-calls.js';

const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;

/** linux/seccomp.h: return values of a filter. */
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const fail = (code: number): number => 0x00050000 | code;

/** linux/bpf_common.h: load a word, compare, test bits, return. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const INSTRUCTION_BYTES = 8;

/** Offsets in struct seccomp_data: number of the call, architecture, lower half of an argument. */
const AT_NUMBER = 0;
const AT_ARCHITECTURE = 4;
const atArgument = (index: number): number => 16 + 8 * index;

/** Marks system calls of the x32 ABI. */
const X32 = 0x40000000;
const CLONE_THREAD = 0x00010000;
const CLONE_NEW_NAMESPACE = 0x7e020000;
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC. */
const TO_WRITE = 0o1103;

/** `then` and `otherwise` are the numbers of instructions that a comparison skips. */
interface Instruction {
  code: number;
  value: number;
  then?: number;
  otherwise?: number;
}

type Dependent = keyof typeof DEPENDENT;

const load = (value: number): Instruction => ({ code: LOAD, value });
const reply = (value: number): Instruction => ({ code: RETURN, value });
const replyIf = (code: number, value: number, answer: number): Instruction[] => [
  { code, value, otherwise: 1 },
  reply(answer),
];
const replyUnless = (code: number, value: number, answer: number): Instruction[] => [
  { code, value, then: 1 },
  reply(answer),
];

const CONDITIONS: Readonly<Record<Dependent, readonly Instruction[]>> = {
  // Only threads of this process.
  clone: [
    ...replyIf(IF_ANY_BIT, CLONE_NEW_NAMESPACE, fail(EPERM)),
    ...replyUnless(IF_ANY_BIT, CLONE_THREAD, fail(EPERM)),
  ],
  open: replyIf(IF_ANY_BIT, TO_WRITE, fail(EACCES)),
  openat: replyIf(IF_ANY_BIT, TO_WRITE, fail(EACCES)),
  // Only the limits of this process.
  prlimit64: replyUnless(IF_EQUAL, 0, fail(EPERM)),
};

const isKnown = (processor: string): processor is keyof typeof ARCHITECTURES => processor in ARCHITECTURES;

export function numbersOf(processor: string): Record<keyof typeof OF_CONFINEMENT, number> {
  const { at } = isKnown(processor) ? ARCHITECTURES[processor] : ARCHITECTURES.x64;
  const entries = Object.entries(OF_CONFINEMENT).map(([name, numbers]) => [name, numbers[at]]);
  return Object.fromEntries(entries) as Record<keyof typeof OF_CONFINEMENT, number>;
}

/** A seccomp filter that refuses what an engine does not need; null for unknown processors. */
export function systemCallFilter(processor: string): Buffer | null {
  if (!isKnown(processor)) return null;
  const { at, audit } = ARCHITECTURES[processor];
  const refuse = (calls: typeof REFUSED, code: number): Instruction[] =>
    Object.values(calls).flatMap(({ [at]: number }) =>
      number === undefined ? [] : replyIf(IF_EQUAL, number, fail(code)),
    );
  const dependent = (Object.keys(DEPENDENT) as Dependent[]).flatMap((name) => {
    const { argument, numbers } = DEPENDENT[name];
    const number = (numbers as readonly number[])[at];
    const body = [load(atArgument(argument)), ...CONDITIONS[name], reply(ALLOW)];
    return number === undefined ? [] : [{ code: IF_EQUAL, value: number, otherwise: body.length }, ...body];
  });
  return encode([
    load(AT_ARCHITECTURE),
    ...replyUnless(IF_EQUAL, audit, KILL),
    load(AT_NUMBER),
    ...(processor === 'x64' ? replyIf(IF_AT_LEAST, X32, fail(ENOSYS)) : []),
    ...dependent,
    ...refuse(REFUSED, EPERM),
    ...refuse(MISSING, ENOSYS),
    reply(ALLOW),
  ]);
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  instructions.forEach(({ code, value, then = 0, otherwise = 0 }, index) => {
    const offset = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, offset);
    bytes.writeUInt8(then, offset + 2);
    bytes.writeUInt8(otherwise, offset + 3);
    bytes.writeUInt32LE(value >>> 0, offset + 4);
  });
  return bytes;
}
