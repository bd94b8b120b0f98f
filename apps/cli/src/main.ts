import { BadUsage } from './usage.js';
import { BadSettings, readSettings, type Settings } from './settings/settings.js';

const environment = process.env;

type ClientCommand = (words: string[], environment: NodeJS.ProcessEnv) => Promise<number>;

/** Settings of the platform do not apply to them. */
const CLIENT_COMMANDS: Record<string, ClientCommand> = {
  login: async (words, given) => (await import('./client/login.js')).login(words, given),
  logout: async (_words, given) => (await import('./client/login.js')).logout(given),
  whoami: async (words, given) => (await import('./client/login.js')).whoami(words, given),
  profile: async (words, given) => (await import('./client/profile.js')).profileCommand(words, given),
  listen: async (words, given) => (await import('./listen/listen.js')).listenCommand(words, given),
  eval: async (words, given) => (await import('./eval/eval.js')).evalCommand(words, given),
  gate: async (words, given) => (await import('./eval/gate.js')).gateCommand(words, given),
  completion: async ([shell = '']) => {
    const { completionScript, SHELLS } = await import('./client/completion.js');
    const script = completionScript(shell);
    if (script === undefined) console.error(`signalbox completion needs one of ${SHELLS.join(', ')}`);
    else console.log(script);
    return script === undefined ? 2 : 0;
  },
  __complete: async (words) => {
    const { candidates } = await import('./client/completion.js');
    const { readCatalog } = await import('./client/catalog.js');
    console.log(candidates(words, readCatalog(), LOCAL_COMMANDS).join('\n'));
    return 0;
  },
};

/** Each loads only the modules it needs: the launcher stays in memory as long as the platform runs. */
const COMMANDS: Record<string, (settings: Settings, words: string[]) => Promise<number>> = {
  start: async (settings) => (await import('./launcher/start.js')).start(settings),
  demo: async (settings, words) => (await import('./demo/demo.js')).runDemo(settings, words),
  up: async (settings, words) => (await import('./machine/up.js')).up(settings, words),
  upgrade: async (settings, words) => (await import('./machine/upgrade.js')).upgrade(settings, words),
  portal: async (settings, words) => (await import('./launcher/portal.js')).openPortal(settings, words),
  admin: async (settings, words) => (await import('./admin/admin.js')).runAdmin(settings, words),
  migrate: async (settings) => (await import('./launcher/migrations/migrate.js')).migrateAll(settings),
  service: async (_settings, words) => (await import('./launcher/one-service.js')).runAsService(words),
};

const LOCAL_COMMANDS = [...Object.keys(COMMANDS), ...Object.keys(CLIENT_COMMANDS), 'help'].filter(
  (name) => !name.startsWith('_'),
);

async function runClient(command: string, words: string[]): Promise<number | undefined> {
  // Completion of `--profile` only needs words, and runs nothing.
  if (command.startsWith('_')) return CLIENT_COMMANDS[command]?.(words, environment);
  const { withProfile } = await import('./client/credentials.js');
  const given = withProfile(words, environment);
  const ofClient = CLIENT_COMMANDS[command];
  if (ofClient) return ofClient(given.words, given.environment);
  return (await import('./client/run-command.js')).runApiCommand([command, ...given.words], given.environment);
}

async function printVersion(): Promise<void> {
  const { readFileSync } = await import('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  console.log(version);
}

const HELP = ['help', '--help', '-h'];
/** They answer it themselves; another command of the platform would start. */
const WITH_HELP = ['up', 'upgrade', 'admin'];

const help = async (): Promise<string> => (await import('./help.js')).help();

function commandFirst(words: string[]): string[] {
  const taken = words[0] === '--profile' ? 2 : words[0]?.startsWith('--profile=') ? 1 : 0;
  const [command, ...rest] = words.slice(taken);
  return command === undefined ? words : [command, ...words.slice(0, taken), ...rest];
}

export async function main(words: string[]): Promise<number> {
  const [command = 'help', ...rest] = commandFirst(words);
  const isOfPlatform = Object.hasOwn(COMMANDS, command);
  if (HELP.includes(command) || (isOfPlatform && !WITH_HELP.includes(command) && HELP.includes(rest[0] ?? ''))) {
    console.log(await help());
    return 0;
  }
  if (['--version', '-v'].includes(command)) {
    await printVersion();
    return 0;
  }
  const run = COMMANDS[command];
  if (run === undefined) {
    const code = await runClient(command, rest);
    if (code !== undefined) return code;
    console.error(`signalbox has no command "${command}"\n\n${await help()}`);
    return 2;
  }
  // A reader that ends early, such as head, ends no command and changes no verdict.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    return await run(readSettings(process.env), rest);
  } catch (error) {
    if (error instanceof BadSettings) console.error(error.message);
    else console.error(`signalbox ${command}: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof BadUsage ? 2 : 1;
  }
}
