import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import release from '@jitl/quickjs-wasmfile-release-sync';
import type { CompiledScript, ScriptEntry } from '@signalbox/contracts';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { Channel } from '../channel.js';
import { type ChildOutcome, type ChildRun, type Interpreter, invalidScript } from '../language.js';
import { type CompiledModule, compileModule, compileScripts } from './compile.js';
import { QuickJsRun } from './quickjs-run.js';
import { stripTypes } from './typescript.js';
import { compileWasm, wasmMemory } from './webassembly.js';

const PAGES_PER_MIB = 16;
/** The memory that the engine declares; no instance can have less. */
const INITIAL_PAGES = 256;
/** The default of workflows: the instance for the next run is made before it is needed. */
const DEFAULT_MEMORY_MB = 128;

/** Its types describe the CommonJS form of the package. */
const VARIANT = release as unknown as QuickJSSyncVariant;

/** JavaScript and TypeScript: QuickJS as WebAssembly, with a new instance for each run and a bound on its memory. */
export class JavaScript implements Interpreter {
  private prepared: QuickJSWASMModule | undefined;

  private constructor(
    readonly version: string,
    private readonly code: object,
    private readonly channel: Channel,
  ) {}

  static async load(channel: Channel): Promise<JavaScript> {
    const { resolve } = createRequire(import.meta.url);
    const bytes = readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
    const language = new JavaScript('ES2023', await compileWasm(bytes), channel);
    await language.prepare();
    return language;
  }

  async prepare(): Promise<void> {
    this.prepared ??= await this.instance(DEFAULT_MEMORY_MB);
  }

  async compile(language: string, script: string, second: string | null): Promise<CompiledScript> {
    const compiled = await this.compiled(language, script, 'execute');
    return compileScripts(
      compiled,
      second === null ? null : await this.compiled(language, second, 'transform_session'),
    );
  }

  async run(run: ChildRun): Promise<ChildOutcome> {
    const { code, problems, functions } = await moduleOf(run.language, run.script, run.entry);
    if (problems.length > 0) return invalidScript(compileScripts({ code, problems, functions }, null));
    const module = await this.take(run.memory_mb);
    try {
      return new QuickJsRun(module, run, this.channel).execute(code);
    } catch (error) {
      // The engine itself gave up, for example because it could not grow; its instance is unusable.
      return { status: 'sandbox', body: `the script broke its engine: ${(error as Error).message}` };
    }
  }

  /** The engine accepts less than the parser does: it has the last word on the syntax. */
  private async compiled(language: string, script: string, entry: ScriptEntry): Promise<CompiledModule> {
    const compiled = await moduleOf(language, script, entry);
    if (compiled.problems.length > 0) return compiled;
    const context = (await this.take(DEFAULT_MEMORY_MB)).newContext();
    const checked = context.evalCode(compiled.code, 'script.js', { type: 'module', compileOnly: true });
    const thrown =
      checked.error && (context.dump(checked.error) as { message: string; lineNumber?: number } | undefined);
    // The interface of the engine reads a module that was only compiled as a promise, and may find it rejected with
    // undefined, depending on the bytes in its memory: every problem of the syntax is an Error.
    if (!thrown) return compiled;
    const { message, lineNumber } = thrown;
    return { ...compiled, problems: [{ message, ...(lineNumber ? { line: lineNumber } : {}) }] };
  }

  private async take(memoryMb: number): Promise<QuickJSWASMModule> {
    const { prepared } = this;
    if (memoryMb !== DEFAULT_MEMORY_MB || !prepared) return this.instance(memoryMb);
    this.prepared = undefined;
    return prepared;
  }

  private instance(memoryMb: number): Promise<QuickJSWASMModule> {
    const memory = wasmMemory(INITIAL_PAGES, Math.max(memoryMb * PAGES_PER_MIB, INITIAL_PAGES));
    return newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmModule: this.code, wasmMemory: memory }));
  }
}

async function moduleOf(language: string, script: string, entry: ScriptEntry): Promise<CompiledModule> {
  const code = language === 'typescript' ? await stripTypes(script) : script;
  if (typeof code !== 'string') return { code: '', problems: [code], functions: new Set() };
  return compileModule(code, entry);
}
