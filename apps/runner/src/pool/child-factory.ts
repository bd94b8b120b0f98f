import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger, reportScriptJail } from '@signalbox/platform';
import { emptyDirectory } from './empty-directory.js';
import { scriptJail } from './jail-metrics.js';
import { type Jail, JAIL_LEVELS, strongestJail } from './jail.js';
import type { JailedProgram } from './jailed-process.js';
import { PoolSizes } from './pool-settings.js';
import { makePythonSnapshot } from './python-snapshot.js';
import { type ChildKind, ScriptChild } from './script-child.js';

const PROGRAM = fileURLToPath(new URL('../child/main.js', import.meta.url));

/** Of the process that loads Python for its snapshot and runs no script. */
const SNAPSHOT_SLOT = 0;

@Injectable()
export class ChildFactory {
  readonly jail: Jail;
  private readonly cwd = emptyDirectory();
  private readonly readable = readableFolders();
  private readonly slots = new Set<number>();
  private snapshot: Promise<Buffer> | undefined;

  constructor(@Inject(LOGGER) logger: Logger, { jailMin: least }: PoolSizes) {
    this.jail = strongestJail(PROGRAM, [...this.readable, packageOf(PROGRAM)]);
    const { parts, level } = this.jail;
    for (const each of JAIL_LEVELS) scriptJail.set({ level: each }, each === level ? 1 : 0);
    reportScriptJail(level);
    if (JAIL_LEVELS.indexOf(level) < JAIL_LEVELS.indexOf(least))
      throw new Error(
        `this system permits child processes the jail '${level}' only, and SCRIPT_JAIL_MIN is '${least}': no script runs`,
      );
    if (level === 'isolated') logger.info({ level, jail: parts }, 'child processes are jailed');
    else logger.warn({ level, jail: parts }, 'this system does not permit the strongest jail of child processes');
  }

  start(kind: ChildKind): ScriptChild {
    const program = this.program();
    const child = new ScriptChild({
      ...program,
      kind,
      ...(kind === 'python' ? { snapshot: this.pythonMemory() } : {}),
    });
    this.slots.add(program.slot);
    void child.exited.then(() => this.slots.delete(program.slot));
    return child;
  }

  /** Made on first use; a failed attempt is repeated. */
  private pythonMemory(): Promise<Buffer> {
    this.snapshot ??= makePythonSnapshot({ ...this.program(), slot: SNAPSHOT_SLOT }).catch((error: unknown) => {
      this.snapshot = undefined;
      throw error;
    });
    return this.snapshot;
  }

  private program(): JailedProgram {
    const { jail, cwd, readable } = this;
    return { jail, cwd, readable, program: PROGRAM, slot: this.freeSlot() };
  }

  private freeSlot(): number {
    for (let slot = SNAPSHOT_SLOT + 1; ; slot++) if (!this.slots.has(slot)) return slot;
  }
}

/** The package.json of a program decides how Node loads its modules. */
function packageOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const description = join(folder, 'package.json');
    if (existsSync(description) || folder === dirname(folder)) return description;
  }
}

function readableFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const packages = [
    '@jitl/quickjs-wasmfile-release-sync',
    '@jitl/quickjs-ffi-types',
    'quickjs-emscripten-core',
    'acorn',
  ];
  const folderOf = (name: string): string => {
    const file = resolve(name);
    return file.slice(0, file.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length);
  };
  const optional = ['@swc/wasm-typescript', 'pyodide'];
  return [dirname(dirname(dirname(PROGRAM))), ...[...packages, ...optional].map(folderOf)];
}
