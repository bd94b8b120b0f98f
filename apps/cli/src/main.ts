import { runAdmin } from './admin.js';
import { runDemo } from './demo.js';
import { HELP } from './help.js';
import { start } from './launcher/start.js';
import { BadSettings, readSettings } from './settings.js';

/** Runs the command line and answers the exit code. */
export async function main(words: string[]): Promise<number> {
  const [command = 'help', ...rest] = words;
  try {
    switch (command) {
      case 'start':
        return await start(readSettings(process.env));
      case 'demo':
        return await runDemo(readSettings(process.env));
      case 'admin':
        return await runAdmin(readSettings(process.env), rest);
      case 'help':
      case '--help':
      case '-h':
        console.log(HELP);
        return 0;
      default:
        console.error(`signalbox knows no command "${command}"\n\n${HELP}`);
        return 1;
    }
  } catch (error) {
    if (error instanceof BadSettings) console.error(error.message);
    else console.error(`signalbox ${command}: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}
