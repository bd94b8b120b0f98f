import { BadSettings, readSettings, type Settings } from './settings.js';

/** Each command loads only the modules it needs: the launcher stays in memory as long as the platform runs. */
const COMMANDS: Record<string, (settings: Settings, words: string[]) => Promise<number>> = {
  start: async (settings) => (await import('./launcher/start.js')).start(settings),
  demo: async (settings, words) => (await import('./demo/demo.js')).runDemo(settings, words),
  admin: async (settings, words) => (await import('./admin/admin.js')).runAdmin(settings, words),
  migrate: async (settings) => (await import('./launcher/migrate.js')).migrateAll(settings),
  service: async (_settings, words) => (await import('./launcher/one-service.js')).runAsService(words),
};

const help = async (): Promise<string> => (await import('./help.js')).HELP;

/** Runs the command line and returns the exit code. */
export async function main(words: string[]): Promise<number> {
  const [command = 'help', ...rest] = words;
  if (['help', '--help', '-h'].includes(command)) {
    console.log(await help());
    return 0;
  }
  const run = COMMANDS[command];
  if (run === undefined) {
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
