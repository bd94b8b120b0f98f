import { constants } from 'node:fs';
import type { CompiledScript } from '@signalbox/contracts';
import type { loadPyodide, PyodideInterface } from 'pyodide';
import type { Channel } from '../channel.js';
import { disarmModules } from '../globals.js';
import { type ChildOutcome, type ChildRun, type ChildSources, type Interpreter, shortened } from '../language.js';
import { DRIVER, EMPTY_BRIDGE } from './driver.js';

interface Driver {
  /** Undefined becomes `None`; null would become a proxy object. */
  compile_scripts(script: string, entry: string, second: string | undefined): string;
  run(script: string, argument: string, entry: string): string;
}

/** Missing from Pyodide's types. */
type Snapshotting = PyodideInterface & { makeMemorySnapshot(): Uint8Array };

interface DeviceFileSystem {
  makedev(major: number, minor: number): number;
  registerDevice(device: number, operations: object): void;
  mkdev(path: string, mode: number, device: number): void;
}

/** Python in WebAssembly (Pyodide), offline, with an emptied bridge to JavaScript. */
export class Python implements Interpreter {
  private constructor(
    readonly version: string,
    private readonly driver: Driver,
  ) {}

  /** Loads Pyodide, which takes seconds, and the driver; returns the memory from which `load` starts in a fraction. */
  static async snapshot(): Promise<Uint8Array> {
    const python = await interpreter({ _makeSnapshot: true });
    python.runPython(`import sys, types; sys.modules['driver'] = driver = types.ModuleType('driver')`);
    python.runPython(`exec(${JSON.stringify(DRIVER)}, vars(driver))`);
    return (python as Snapshotting).makeMemorySnapshot();
  }

  static async load(channel: Channel): Promise<Python> {
    const snapshot = channel.readBytes();
    const python = await interpreter({ _loadSnapshot: snapshot });
    openDevices(python, channel);
    disarmModules();
    const driver = python.pyimport('driver') as Driver & { begin(): string };
    const loaded = new Python(driver.begin(), driver);
    python.runPython(EMPTY_BRIDGE);
    return loaded;
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  compile({ script, entry, second }: ChildSources): Promise<CompiledScript> {
    const text = this.driver.compile_scripts(script, entry, second ?? undefined);
    return Promise.resolve(JSON.parse(text) as CompiledScript);
  }

  run({ script, argument, entry }: ChildRun): Promise<ChildOutcome> {
    try {
      const text = this.driver.run(script, argument, entry);
      const [status, body, line] = JSON.parse(text) as [ChildOutcome['status'], string, number | null];
      const output = status === 'completed' ? body : shortened(body);
      return Promise.resolve({ status, body: output, ...(line === null ? {} : { line }) });
    } catch (error) {
      return Promise.resolve({
        status: 'sandbox',
        body: shortened(`the script broke its interpreter: ${String(error)}`),
      });
    }
  }
}

async function interpreter(options: object): Promise<PyodideInterface> {
  prepareProcess();
  const pyodide = (await import('pyodide')) as { loadPyodide: typeof loadPyodide };
  const jsglobals = Object.create(null) as object;
  const silent = { stdin: () => null, stdout: () => undefined, stderr: () => undefined };
  return pyodide.loadPyodide({ jsglobals, env: {}, ...silent, ...options });
}

/** Lets the driver read and write the frames of this process, blocking, and rest for the milliseconds that it writes. */
function openDevices({ FS }: PyodideInterface, channel: Channel): void {
  const files = FS as unknown as DeviceFileSystem;
  const add = (path: string, minor: number, operations: object): void => {
    const device = files.makedev(64, minor);
    files.registerDevice(device, operations);
    files.mkdev(path, 0o600, device);
  };
  add('/dev/host', 0, {
    read: (_: unknown, buffer: Uint8Array, offset: number, length: number) => channel.readInto(buffer, offset, length),
    write: (_: unknown, buffer: Uint8Array, offset: number, length: number) =>
      channel.writeFrom(buffer, offset, length),
  });
  add('/dev/rest', 1, {
    write: (_: unknown, { buffer, byteOffset }: Uint8Array, offset: number, length: number) => {
      channel.rest(new DataView(buffer, byteOffset + offset, length).getFloat64(0, true));
      return length;
    },
  });
}

const nothing = (): void => undefined;
const silentStream = (fd: number): object => ({
  fd,
  isTTY: false,
  write: () => true,
  on: nothing,
  once: nothing,
  removeListener: nothing,
});

/**
 * Pyodide asks Node for file system constants in a way that the permission model refuses, and opens the standard
 * streams, which would make the descriptors of the channel non-blocking.
 */
function prepareProcess(): void {
  Reflect.set(process, 'binding', () => ({ fs: constants }));
  for (const [fd, name] of ['stdin', 'stdout', 'stderr'].entries())
    Object.defineProperty(process, name, { value: silentStream(fd) });
}
