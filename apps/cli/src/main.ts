import { BadSettings, readSettings, type Settings } from './settings/settings.js';

const environment = process.env;

/** Commands of the client: no settings of the platform apply to them. */
const CLIENT_COMMANDS: Record<string, (words: string[]) => Promise<number>> = {
  login: async (words) => (await import('./client/login.js')).login(words, environment),
  logout: async () => (await import('./client/login.js')).logout(environment),
  whoami: async (words) => (await import('./client/login.js')).whoami(words, environment),
  eval: async (words) => (await import('./eval/eval.js')).evalCommand(words, environment),
  gate: async (words) => (await import('./eval/gate.js')).gateCommand(words, environment),
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

/** Each command loads only the modules it needs: the launcher stays in memory as long as the platform runs. */
const COMMANDS: Record<string, (settings: Settings, words: string[]) => Promise<number>> = {
  start: async (settings) => (await import('./launcher/start.js')).start(settings),
  demo: async (settings, words) => (await import('./demo/demo.js')).runDemo(settings, words),
  portal: async (settings, words) => (await import('./launcher/portal.js')).openPortal(settings, words),
  admin: async (settings, words) => (await import('./admin/admin.js')).runAdmin(settings, words),
  migrate: async (settings) => (await import('./launcher/migrations/migrate.js')).migrateAll(settings),
  service: async (_settings, words) => (await import('./launcher/one-service.js')).runAsService(words),
};

const LOCAL_COMMANDS = [...Object.keys(COMMANDS), ...Object.keys(CLIENT_COMMANDS), 'help'].filter(
  (name) => !name.startsWith('_'),
);

/** Words that ask for help, after any command of the platform as well: it would start otherwise. */
const HELP = ['help', '--help', '-h'];

const help = async (): Promise<string> => (await import('./help.js')).help();

/** Runs the command line and returns the exit code. */
export async function main(words: string[]): Promise<number> {
  const [command = 'help', ...rest] = words;
  const isOfPlatform = Object.hasOwn(COMMANDS, command);
  if (HELP.includes(command) || (isOfPlatform && HELP.includes(rest[0] ?? ''))) {
    console.log(await help());
    return 0;
  }
  const ofClient = CLIENT_COMMANDS[command];
  if (ofClient) return ofClient(rest);
  const run = COMMANDS[command];
  if (run === undefined) {
    const code = await (await import('./client/run-command.js')).runApiCommand(words, environment);
    if (code !== undefined) return code;
    console.error(`signalbox has no command "${command}"\n\n${await help()}`);
    return 2;
  }
  try {
    return await run(readSettings(process.env), rest);
  } catch (error) {
    if (error instanceof BadSettings) console.error(error.message);
    else console.error(`signalbox ${command}: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
