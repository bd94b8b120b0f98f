import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** Its types describe the CommonJS form of the package. */
const VARIANT = release as unknown as QuickJSSyncVariant;

/** The engine without platform: one module for all runs, a context for each, nothing bounded and nothing jailed. */
export class BareEngine {
  private constructor(private readonly module: QuickJSWASMModule) {}

  static async load(): Promise<BareEngine> {
    return new BareEngine(await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, {})));
  }

  /** The value of `execute()` of a script. */
  run(script: string): unknown {
    const context = this.module.newContext();
    try {
      const evaluated = context.evalCode(`${script}; JSON.stringify(execute({ input: 1 }))`);
      if (evaluated.error) throw new Error('the script failed');
      return JSON.parse(evaluated.value.consume((value) => context.getString(value))) as unknown;
    } finally {
      context.dispose();
    }
  }
}
