import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CompiledScript, ScriptEntry } from '@signalbox/contracts';
import type { Channel } from '../channel.js';
import { type ChildOutcome, type ChildRun, type ChildSources, type Interpreter, invalidScript } from '../language.js';
import { type CompiledModule, compileModule, compileScripts } from './compile.js';
import { QuickJsEngine } from './quickjs-engine.js';
import { QuickJsRun } from './quickjs-run.js';
import { stripTypes } from './typescript.js';
import { compileWasm } from './webassembly.js';

/** The default of workflows. */
const DEFAULT_MEMORY_MB = 128;
/** Run before the process is ready, so that the first script of a company does not wait for code to be compiled. */
const WARM_UP: ChildRun = {
  language: 'javascript',
  entry: 'execute',
  memory_mb: DEFAULT_MEMORY_MB,
  script: 'async function execute(ctx) { return { input: ctx.input }; }',
  argument: '{"input":null}',
};

/** JavaScript and TypeScript: QuickJS as WebAssembly; each run finds a bounded memory in which no script has run. */
export class JavaScript implements Interpreter {
  /** The engine of the next run, restored before it is needed; a company runs mostly scripts of one size. */
  private engine: QuickJsEngine | undefined;
  /** The script that was compiled last: a workflow runs more than once. */
  private last: { run: Pick<ChildRun, 'language' | 'script' | 'entry'>; compiled: CompiledModule } | undefined;

  private constructor(
    readonly version: string,
    private readonly code: object,
    private readonly channel: Channel,
  ) {}

  static async load(channel: Channel): Promise<JavaScript> {
    const { resolve } = createRequire(import.meta.url);
    const bytes = readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
    const language = new JavaScript('ES2023', await compileWasm(bytes), channel);
    await language.run(WARM_UP);
    await language.prepare();
    return language;
  }

  async prepare(): Promise<void> {
    await this.engineOf(this.engine?.memoryMb ?? DEFAULT_MEMORY_MB);
  }

  async compile({ language, script, entry, second }: ChildSources): Promise<CompiledScript> {
    const compiled = await this.compiled(language, script, entry);
    return compileScripts(
      compiled,
      second === null ? null : await this.compiled(language, second, 'transform_session'),
    );
  }

  async run(run: ChildRun): Promise<ChildOutcome> {
    const { code, problems, functions } = await this.moduleOf(run);
    if (problems.length > 0) return invalidScript(compileScripts({ code, problems, functions }, null));
    try {
      return new QuickJsRun(await this.engineOf(run.memory_mb), run, this.channel).execute(code);
    } catch (error) {
      // The engine itself gave up, for example because it could not grow; its instance is unusable.
      return { status: 'sandbox', body: `the script broke its engine: ${(error as Error).message}` };
    }
  }

  /** The engine accepts less than the parser does: it has the last word on the syntax. */
  private async compiled(language: string, script: string, entry: ScriptEntry): Promise<CompiledModule> {
    const compiled = await moduleOf(language, script, entry);
    if (compiled.problems.length > 0) return compiled;
    const engine = await this.engineOf(DEFAULT_MEMORY_MB);
    engine.begin(null);
    const { context } = engine;
    const checked = context.evalCode(compiled.code, 'script.js', { type: 'module', compileOnly: true });
    const thrown =
      checked.error && (context.dump(checked.error) as { message: string; lineNumber?: number } | undefined);
    // The interface of the engine reads a module that was only compiled as a promise, and may find it rejected with
    // undefined, depending on the bytes in its memory: every problem of the syntax is an Error.
    if (!thrown) return compiled;
    const { message, lineNumber } = thrown;
    return { ...compiled, problems: [{ message, ...(lineNumber ? { line: lineNumber } : {}) }] };
  }

  private async moduleOf(run: ChildRun): Promise<CompiledModule> {
    const { language, script, entry } = run;
    const { last } = this;
    if (last && last.run.script === script && last.run.language === language && last.run.entry === entry)
      return last.compiled;
    const compiled = await moduleOf(language, script, entry);
    this.last = { run: { language, script, entry }, compiled };
    return compiled;
  }

  /** An engine of a size in which no script has run. */
  private async engineOf(memoryMb: number): Promise<QuickJsEngine> {
    const { engine } = this;
    if (engine?.memoryMb === memoryMb && engine.restore()) return engine;
    return (this.engine = await QuickJsEngine.create(this.code, memoryMb));
  }
}

async function moduleOf(language: string, script: string, entry: ScriptEntry): Promise<CompiledModule> {
  const code = language === 'typescript' ? await stripTypes(script) : script;
  if (typeof code !== 'string') return { code: '', problems: [code], functions: new Set() };
  return compileModule(code, entry);
}
