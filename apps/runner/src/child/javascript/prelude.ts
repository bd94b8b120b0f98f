/** Arguments and results are strings and numbers only. */
export interface PreludeHost {
  send(kind: string, id: number, detail: string, body: string): void;
  /** Blocks until the reply to a host call has arrived. */
  waitFor(id: number): string;
  now(): number;
  /** From 0 to 2^32 - 1, cryptographically random. */
  random(): number;
}

export interface PreludeControls {
  /** Calls a function of the script, whose namespace may be a promise. */
  begin(moduleNamespace: unknown, entry: string, argument: string): void;
  deliver(id: number, reply: string): void;
  pending(): number;
}

/**
 * Evaluated inside the sandbox before the script, from its source text: it must not refer to anything outside itself.
 * It keeps the built-ins it uses, so that a script that replaces them breaks only its own code.
 */
export function prelude(host: PreludeHost): PreludeControls {
  const { send, waitFor, now, random } = host;
  const { parse, stringify } = JSON;
  const NativePromise = Promise;
  const { then } = NativePromise.prototype;
  const { apply } = Reflect;
  const NativeError = Error;
  const NativeTypeError = TypeError;
  const NativeRangeError = RangeError;
  const NativeString = String;
  const { slice } = NativeString.prototype;
  const { hasOwn, defineProperty } = Object;
  const { asyncIterator } = Symbol;
  const LEVELS = ['debug', 'info', 'warn', 'error'];
  const MAX_AT_ONCE = 64;
  /** Above it the host takes no text: a call that was refused only there would count as open for ever. */
  const MAX_LENGTH = 16_777_216;
  /** The host cuts messages further. */
  const MAX_MESSAGE_LENGTH = 16_384;
  interface Open {
    member: string;
    args: string;
    resolve(value: unknown): void;
    reject(error: unknown): void;
  }
  const open: Record<number, Open> = { __proto__: null } as never;
  const queue: number[] = [];
  const steps: Record<string, true> = { __proto__: null } as never;
  let queued = 0;
  let issued = 0;
  let running = 0;

  // QuickJS seeds its generator when the context is created, which is before the memory image: runs would share a seed.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const draw = (): number => {
    if (a === 0 && b === 0 && c === 0 && d === 0) {
      a = random() | 1;
      b = random() | 0;
      c = random() | 0;
      d = random() | 0;
    }
    // Xorshift128.
    const t = a ^ (a << 11);
    a = b;
    b = c;
    c = d;
    d = d ^ (d >>> 19) ^ t ^ (t >>> 8);
    return d >>> 0;
  };
  const generator = { random: (): number => ((draw() >>> 5) * 67108864 + (draw() >>> 6)) / 9007199254740992 };
  defineProperty(Math, 'random', { value: generator.random, enumerable: false, configurable: true, writable: true });

  const NativeBytes = Uint8Array;
  const { isView } = ArrayBuffer;
  const unpredictable = (): number => ((random() >>> 5) * 67108864 + (random() >>> 6)) / 9007199254740992;
  const getRandomValues = (array: unknown): unknown => {
    if (!isView(array) || array instanceof DataView || array instanceof Float32Array || array instanceof Float64Array)
      throw new NativeTypeError('getRandomValues needs an array of integers');
    const bytes = new NativeBytes(array.buffer, array.byteOffset, array.byteLength);
    if (bytes.length > 65536) throw new RangeError('getRandomValues fills at most 65536 bytes at once');
    for (let index = 0; index < bytes.length; index += 4) {
      const drawn = random();
      for (let part = 0; part < 4 && index + part < bytes.length; part++) bytes[index + part] = drawn >>> (8 * part);
    }
    return array;
  };
  const randomUUID = (): string => {
    let text = '';
    for (let index = 0; index < 32; index++) {
      if (index === 8 || index === 12 || index === 16 || index === 20) text += '-';
      const digit = index === 12 ? 4 : index === 16 ? 8 + (random() & 3) : random() & 15;
      text += '0123456789abcdef'[digit] as string;
    }
    return text;
  };
  const crypto = { value: { getRandomValues, randomUUID }, enumerable: false, configurable: true, writable: true };
  defineProperty(globalThis, 'crypto', crypto);

  const jsonOf = (value: unknown, what: string): string => {
    const text = stringify(value === undefined ? null : value) as string | undefined;
    if (text === undefined) throw new NativeTypeError(`${what} is not JSON`);
    return text;
  };
  const cut = (text: string): string =>
    text.length > MAX_MESSAGE_LENGTH ? (apply(slice, text, [0, MAX_MESSAGE_LENGTH]) as string) : text;
  const textOf = (value: unknown, what: string): string => {
    const text = jsonOf(value, what);
    if (text.length > MAX_LENGTH) throw new NativeRangeError(`${what} is longer than ${MAX_LENGTH} characters as JSON`);
    return text;
  };
  const hostError = (given: { name: string; message: string; status?: number }): Error => {
    const error = new NativeError(given.message);
    defineProperty(error, 'name', { value: given.name, enumerable: false, configurable: true, writable: true });
    if (given.status !== undefined) (error as { status?: number }).status = given.status;
    return error;
  };
  const settle = (reply: string): { value: unknown } => {
    const parsed = parse(reply) as { value: unknown; error?: { name: string; message: string; status?: number } };
    if (hasOwn(parsed, 'error') && parsed.error) throw hostError(parsed.error);
    return parsed;
  };
  const startNext = (): void => {
    while (running < MAX_AT_ONCE && queued < queue.length) {
      const id = queue[queued++] as number;
      running++;
      send('call', id, (open[id] as Open).member, (open[id] as Open).args);
    }
  };
  const ask = (member: string, args: unknown[]): Promise<unknown> =>
    new NativePromise((resolve, reject) => {
      const id = ++issued;
      open[id] = { member, args: textOf(args, `an argument of ${member}`), resolve, reject };
      queue[queue.length] = id;
      startNext();
    });
  const askAndWait = (member: string, args: unknown[]): unknown => {
    const id = ++issued;
    send('call', id, member, textOf(args, `an argument of ${member}`));
    return settle(waitFor(id)).value;
  };
  const asked =
    (member: string, count: number) =>
    (...args: unknown[]): Promise<unknown> => {
      const given: unknown[] = [];
      for (let index = 0; index < count; index++) if (index < args.length) given[index] = args[index];
      return ask(member, given);
    };
  /** Reads of a streamed completion are serialised; a caller that stops iterating stops the stream. */
  const stream = (request: unknown): object => {
    const opened = ask('chat.completions.stream', [request]) as Promise<number>;
    let chunks: unknown[] = [];
    let at = 0;
    let isOver = false;
    const end = { done: true as const, value: undefined };
    const read = async (): Promise<{ done: boolean; value: unknown }> => {
      while (at >= chunks.length) {
        if (isOver) return end;
        try {
          const part = (await ask('chat.completions.read', [await opened])) as { chunks: unknown[]; done: boolean };
          chunks = part.chunks;
          at = 0;
          isOver = part.done;
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
      return { done: false, value: chunks[at++] };
    };
    const stop = async (): Promise<typeof end> => {
      const wasOver = isOver;
      chunks = [];
      at = 0;
      isOver = true;
      if (!wasOver) await ask('chat.completions.close', [await opened]);
      return end;
    };
    let last: Promise<unknown> = opened;
    const inTurn = (work: () => Promise<unknown>) => (): Promise<unknown> =>
      (last = apply(then, last, [work, work]) as Promise<unknown>);
    // Reported by the first read; this only avoids an unhandled rejection.
    void apply(then, opened, [undefined, () => undefined]);
    const iterator = { next: inTurn(read), return: inTurn(stop), [asyncIterator]: (): object => iterator };
    return iterator;
  };
  const step = async (name: unknown, work: unknown): Promise<unknown> => {
    if (typeof name !== 'string' || name === '') throw new NativeTypeError('the name of a step must be a string');
    if (typeof work !== 'function') throw new NativeTypeError(`the step "${name}" has no function`);
    if (steps[name]) throw new NativeError(`the step "${name}" exists already: names of steps are unique in a run`);
    steps[name] = true;
    const begun = (await ask('step.begin', [name])) as { done: boolean; result?: unknown };
    if (begun.done) return begun.result;
    const result = parse(textOf(await (work as () => unknown)(), `the result of the step "${name}"`)) as unknown;
    await ask('step.end', [name, result]);
    return result;
  };
  const log = (level: unknown, message: unknown): void => {
    let known = false;
    for (let index = 0; index < LEVELS.length; index++) known ||= LEVELS[index] === level;
    if (!known) throw new NativeTypeError('the level of a log line must be debug, info, warn or error');
    const text = typeof message === 'string' ? message : jsonOf(message, 'a log message');
    send('log', now(), level as string, cut(text));
  };

  const shown = (value: unknown): string => {
    if (typeof value === 'string') return value;
    try {
      return jsonOf(value, 'a logged value');
    } catch {
      return NativeString(value);
    }
  };
  const printed =
    (level: string) =>
    (...values: unknown[]): void => {
      let text = '';
      for (let index = 0; index < values.length; index++) text += (index > 0 ? ' ' : '') + cut(shown(values[index]));
      send('log', now(), level, cut(text));
    };
  /** For scorers, which have no `ctx.log`. */
  const addConsole = (): void => {
    const console = { debug: printed('debug'), info: printed('info'), log: printed('info') };
    const value = { ...console, warn: printed('warn'), error: printed('error') };
    defineProperty(globalThis, 'console', { value, enumerable: false, configurable: true, writable: true });
  };
  interface Argument {
    secret_names?: string[];
    messages?: unknown[];
    metadata?: unknown;
    params?: unknown;
  }
  const contextOf = (given: Argument): object => {
    const { secret_names: names = [], ...data } = given;
    return {
      ...data,
      messages: given.messages ?? [],
      metadata: given.metadata ?? {},
      params: given.params ?? {},
      secrets: {
        get(name: string): unknown {
          for (let index = 0; index < names.length; index++)
            if (names[index] === name) return askAndWait('secrets.get', [name]);
          return null;
        },
      },
      log,
      random: unpredictable,
      emit: (event: unknown): void => send('emit', 0, '', textOf(event, 'an event')),
      step,
      chat: {
        completions: { create: asked('chat.completions.create', 1), stream },
      },
      agents: { invoke: asked('agents.invoke', 2) },
      workflows: { execute: asked('workflows.execute', 2) },
      http: { fetch: asked('http.fetch', 2) },
      artifacts: { get: asked('artifacts.get', 1), put: asked('artifacts.put', 3) },
    };
  };

  const fail = (thrown: unknown): void => {
    let name = '';
    let message: string;
    let stack = '';
    try {
      if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
        const error = thrown as { name?: unknown; message: unknown; stack?: unknown };
        name = NativeString(error.name ?? 'Error');
        message = NativeString(error.message);
        stack = NativeString(error.stack ?? '');
      } else message = typeof thrown === 'string' ? thrown : NativeString(stringify(thrown));
    } catch {
      message = 'the script threw a value that cannot be described';
    }
    send('failed', 0, cut(stack), name === '' ? cut(message) : `${cut(name)}: ${cut(message)}`);
  };
  const complete = (value: unknown): void => {
    try {
      send('completed', 0, '', textOf(value, 'the output of the script'));
    } catch (error) {
      fail(error);
    }
  };
  const follow = (promise: Promise<unknown>): void => {
    void apply(then, promise, [complete, fail]);
  };

  return {
    begin(moduleNamespace, entry, argument) {
      const run = async (module: unknown): Promise<unknown> => {
        const entered = (module as Record<string, unknown>)[entry];
        if (typeof entered !== 'function') throw new NativeTypeError(`${entry} is not a function`);
        if (entry === 'score') addConsole();
        const given = parse(argument) as Argument;
        return (await (entered as (argument: unknown) => unknown)(
          entry === 'execute' ? contextOf(given) : given,
        )) as unknown;
      };
      if (moduleNamespace instanceof NativePromise)
        void apply(then, moduleNamespace, [(module: unknown) => follow(run(module)), fail]);
      else follow(run(moduleNamespace));
    },
    deliver(id, reply) {
      const waiting = open[id];
      if (!waiting) return;
      delete open[id];
      running--;
      startNext();
      try {
        waiting.resolve(settle(reply).value);
      } catch (error) {
        waiting.reject(error);
      }
    },
    pending: () => running,
  };
}
