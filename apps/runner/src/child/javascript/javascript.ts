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

const DEFAULT_MEMORY_MB = 128;
/** Run before the process is ready, so that the first script of a company does not wait for lazy compilation. */
const WARM_UP: ChildRun = {
  language: 'javascript',
  entry: 'execute',
  memory_mb: DEFAULT_MEMORY_MB,
  script: 'async function execute(ctx) { return { input: ctx.input }; }',
  argument: '{"input":null}',
};

/** JavaScript and TypeScript in QuickJS as WebAssembly; each run gets a bounded, clean memory. */
export class JavaScript implements Interpreter {
  /** Prepared for the next run; a company mostly runs scripts with one memory size. */
  private engine: QuickJsEngine | undefined;
  /** Cached, since a workflow usually runs more than once. */
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
      // The engine itself failed, for example because its memory could not grow; the instance is unusable.
      return { status: 'sandbox', body: `the script broke its engine: ${(error as Error).message}` };
    }
  }

  /** QuickJS accepts less than the parser does, so it has the last word on syntax. */
  private async compiled(language: string, script: string, entry: ScriptEntry): Promise<CompiledModule> {
    const compiled = await moduleOf(language, script, entry);
    if (compiled.problems.length > 0) return compiled;
    const engine = await this.engineOf(DEFAULT_MEMORY_MB);
    engine.begin(null);
    const { context } = engine;
    const checked = context.evalCode(compiled.code, 'script.js', { type: 'module', compileOnly: true });
    const thrown =
      checked.error && (context.dump(checked.error) as { message: string; lineNumber?: number } | undefined);
    // QuickJS may report a module that was only compiled as rejected with undefined, depending on what its memory
    // contains; every real syntax problem is an Error.
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
