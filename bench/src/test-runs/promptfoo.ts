import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed, isInstalled, PROMPTFOO } from '@signalbox/testing';
import { Child } from '../measure/child.js';
import { progress } from '../measure/rounds.js';
import type { EvaluateAnswer, EvaluateQuestion } from '../bases/promptfoo.js';

const ENTRY = join('node_modules', 'promptfoo', 'dist', 'src', 'index.js');

/** Where promptfoo is, after an attempt to install it unless the run is tiny; prints why it is nowhere. */
async function folderOf(tiny: boolean): Promise<string | null> {
  try {
    if (!isInstalled(PROMPTFOO)) {
      if (tiny) throw new Error('a tiny run installs nothing');
      progress(`installing promptfoo ${PROMPTFOO.version}`);
    }
    return await installed(PROMPTFOO);
  } catch (error) {
    const [reason] = /^npm error (?!code|A complete).*/m.exec((error as { stderr?: string }).stderr ?? '') ?? [];
    const why = reason ?? (error as Error).message;
    console.log(`  promptfoo ${PROMPTFOO.version} is not installed, so there is no base: ${why}`);
    return null;
  }
}

/** promptfoo in a separate process. */
export class Promptfoo {
  private constructor(private readonly child: Child) {}

  /** Runs with promptfoo, with null when it cannot be installed; its home folder and database are new. */
  static async use<R>(
    upstreamPort: number,
    tiny: boolean,
    run: (promptfoo: Promptfoo | null) => Promise<R>,
  ): Promise<R> {
    const folder = await folderOf(tiny);
    if (folder === null) return run(null);
    const home = await mkdtemp(join(tmpdir(), 'bench-promptfoo-'));
    try {
      const child = await Child.start(new URL('../bases/promptfoo.js', import.meta.url), {
        PROMPTFOO: pathToFileURL(join(folder, ENTRY)).href,
        UPSTREAM: `http://127.0.0.1:${upstreamPort}/v1`,
        HOME: home,
        PROMPTFOO_CONFIG_DIR: home,
      });
      return await run(new Promptfoo(child)).finally(() => child.stop());
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  get pid(): number {
    return this.child.pid;
  }

  evaluate(question: EvaluateQuestion): Promise<EvaluateAnswer> {
    return this.child.ask<EvaluateAnswer>(question);
  }
}
