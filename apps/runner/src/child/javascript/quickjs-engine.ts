import { randomBytes } from 'node:crypto';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { MemoryImage } from './memory-image.js';
import { prelude } from './prelude.js';
import { wasmMemory } from './webassembly.js';

/** The types of the package describe its CommonJS form. */
const VARIANT = release as unknown as QuickJSSyncVariant;
const STACK_BYTES = 256 * 1024;
const MIB = 1024 * 1024;
/** Memory of the instance beside the script's heap: stack and static data of the engine. */
const ENGINE_BYTES = 2 * MIB;
const PAGES_PER_MIB = 16;
/** Declared by the engine's module; an instance cannot have less. */
const INITIAL_PAGES = 256;

/** Only strings and numbers go in and out, never an object of this process. */
export interface EngineHost {
  send(kind: QuickJSHandle, id: QuickJSHandle, detail: QuickJSHandle, body: QuickJSHandle): void;
  waitFor(id: QuickJSHandle): QuickJSHandle;
}

/** Executes one script at a time; between two, its memory is restored to an image taken before the first. */
export class QuickJsEngine {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  readonly controls: QuickJSHandle;
  private readonly image: MemoryImage;
  private host: EngineHost | undefined;
  private isClean = true;

  /** The memory of the engine cannot grow above `memoryMb`; `code` is the compiled module of QuickJS. */
  static async create(code: object, memoryMb: number): Promise<QuickJsEngine> {
    const memory = wasmMemory(INITIAL_PAGES, Math.max(memoryMb * PAGES_PER_MIB, INITIAL_PAGES));
    const variant = newVariant(VARIANT, { wasmModule: code, wasmMemory: memory });
    const module = await newQuickJSWASMModuleFromVariant(variant);
    return new QuickJsEngine(module, memoryMb, () => new MemoryImage(memory));
  }

  private constructor(
    module: QuickJSWASMModule,
    readonly memoryMb: number,
    takeImage: () => MemoryImage,
  ) {
    this.runtime = module.newRuntime();
    this.runtime.setMemoryLimit(memoryMb * MIB - ENGINE_BYTES);
    this.runtime.setMaxStackSize(STACK_BYTES);
    this.context = this.runtime.newContext();
    const { context } = this;
    const made = context.unwrapResult(context.evalCode(`(${prelude.toString()})`, 'prelude.js'));
    this.controls = context.unwrapResult(context.callFunction(made, context.undefined, this.functions()));
    this.image = takeImage();
  }

  /** Must precede each script, whose calls go to `host`; null for a script that is only compiled. */
  begin(host: EngineHost | null): void {
    if (!this.isClean) throw new Error('the engine has not been restored after its last script');
    this.isClean = false;
    this.host = host ?? undefined;
  }

  /** Removes everything that the last script left; false when the engine has to be replaced. */
  restore(): boolean {
    this.host = undefined;
    this.isClean ||= this.image.restore();
    return this.isClean;
  }

  private get currentHost(): EngineHost {
    if (!this.host) throw new Error('no script is executed');
    return this.host;
  }

  private functions(): QuickJSHandle {
    const { context } = this;
    const host = context.newObject();
    const none = context.undefined;
    const offer = (name: string, work: (...args: QuickJSHandle[]) => QuickJSHandle | undefined): void => {
      const fn = context.newFunction(name, (...args) => work(...args) ?? context.undefined);
      context.setProp(host, name, fn);
      fn.dispose();
    };
    offer('send', (kind, id, detail, body) => {
      this.currentHost.send(kind ?? none, id ?? none, detail ?? none, body ?? none);
      return undefined;
    });
    offer('waitFor', (id) => this.currentHost.waitFor(id ?? none));
    offer('now', () => context.newNumber(Date.now()));
    offer('random', () => context.newNumber(randomBytes(4).readUInt32LE()));
    return host;
  }
}
