import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busUsers } from '@signalbox/bus';
import {
  acceptedLogins,
  type MasterKeys,
  NATS_MAX_PAYLOAD,
  renderNatsConfig,
  serviceCredentials,
} from '@signalbox/servers';
import { ROOT, TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';

const CLI = join(ROOT, 'apps/cli/bin/signalbox.mjs');

/** The master key that a platform of tests changes to. */
export const NEW_MASTER_KEY = 'the master key that comes after that of the tests';

/** The master keys of each step, as docs/operations/rotate.md has them. */
export const STEPS = {
  accepting: { current: TEST_MASTER_KEY, next: NEW_MASTER_KEY, previous: null },
  changed: { current: NEW_MASTER_KEY, next: null, previous: TEST_MASTER_KEY },
  after: { current: NEW_MASTER_KEY, next: null, previous: null },
  before: { current: TEST_MASTER_KEY, next: null, previous: null },
} as const satisfies Record<string, MasterKeys>;

export interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** The secrets of each kind of process, by the name of its setting. */
type Secrets = Record<string, Record<string, string>>;

/** An operator who runs commands with the keys of a step. */
export class RotationOperator {
  constructor(private readonly servers: TestServers) {}

  private envOf({ current, next, previous }: MasterKeys): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: this.servers.postgres.url,
      NATS_URL: this.servers.nats.url,
      DATA_DIR: join(this.servers.dir, 'operator'),
      MASTER_KEY: current,
      ...(next === null ? {} : { MASTER_KEY_NEXT: next }),
      ...(previous === null ? {} : { MASTER_KEY_PREVIOUS: previous }),
    };
  }

  run(keys: MasterKeys, ...words: string[]): Promise<Ended> {
    return new Promise((resolve) => {
      execFile(process.execPath, [CLI, ...words], { env: this.envOf(keys) }, (error, output, errors) =>
        resolve({ code: error ? Number(error.code) : 0, output, errors }),
      );
    });
  }

  /** The output of a command that has to succeed. */
  async succeeding(keys: MasterKeys, ...words: string[]): Promise<string> {
    const { code, output, errors } = await this.run(keys, ...words);
    expect([words, code, errors]).toEqual([words, 0, errors]);
    return output;
  }

  /** Kills a command when it has written something to standard error. */
  async killed(keys: MasterKeys, ...words: string[]): Promise<string> {
    const child = spawn(process.execPath, [CLI, ...words], { env: this.envOf(keys) });
    let errors = '';
    child.stderr.on('data', (text: Buffer) => {
      errors += text.toString();
      child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('close', resolve));
    return errors;
  }

  /** The logins and keys that the processes of a step are started with. */
  async secrets(keys: MasterKeys): Promise<(kind: string) => Record<string, string>> {
    const all = JSON.parse(await this.succeeding(keys, 'admin', 'role-urls')) as Secrets;
    return (kind) => all[kind.replace(/^agents-.*$/, 'agents')] ?? {};
  }

  /** Lets the bus read its users again, as `nats-server --signal reload` does: connections of known users stay. */
  async reloadBus(keys: MasterKeys): Promise<void> {
    const { nats, dir } = this.servers;
    const all = busUsers().flatMap(({ user, publish, subscribe }) => {
      const { plain, keyed } = acceptedLogins(keys, user);
      // Services reply to the tester as well.
      const permissions = { publish: [...publish, '_INBOX.tester.>'], subscribe };
      return [plain, keyed].map(({ natsUser, natsPassword }) => ({
        user: natsUser,
        password: natsPassword,
        permissions,
      }));
    });
    const tester = {
      user: 'tester',
      password: serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword,
      permissions: { publish: ['>'], subscribe: ['>'] },
    };
    const config = renderNatsConfig({
      port: nats.port,
      storeDir: join(dir, 'nats'),
      maxPayload: NATS_MAX_PAYLOAD,
      users: [...all, tester],
      anonymous: false,
    });
    await writeFile(join(dir, 'nats.conf'), config);
    process.kill(nats.pid, 'SIGHUP');
  }

  /** What the server of the bus has logged. */
  busLog(): Promise<string> {
    return readFile(join(this.servers.dir, 'logs', 'nats.log'), 'utf8');
  }
}
