import { ApiError } from '@signalbox/contracts';
import { ADMIN_COMMANDS, type AdminCommand } from '@signalbox/openapi';
import type { Settings } from '../settings/settings.js';
import { COMMANDS } from './commands.js';
import { asksForHelp, BadUsage, Options, Verdict } from '../usage.js';

const isCommand = (name: string): name is AdminCommand => Object.hasOwn(ADMIN_COMMANDS, name);

function helpOn(name: string): string {
  if (isCommand(name))
    return `signalbox admin ${name} ${ADMIN_COMMANDS[name].usage}\n\n  ${ADMIN_COMMANDS[name].description}`;
  const lines = Object.entries(ADMIN_COMMANDS).map(
    ([each, { usage, description }]) => `  ${each} ${usage}\n      ${description}`,
  );
  return `signalbox admin <command>\n\n${lines.join('\n')}`;
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof ApiError ? (error.extras.details ?? []) : [];
  return [error.message, ...details.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
}

function commandIn([first = 'help', ...rest]: string[]): [string, string[]] {
  const [second, ...options] = rest;
  const both = `${first} ${second}`;
  return isCommand(both) ? [both, options] : [first, rest];
}

/** Returns 0 when done, 1 for a failure, 2 when not understood. */
export async function runAdmin(settings: Settings, line: string[]): Promise<number> {
  const [name, words] = commandIn(line);
  const command = isCommand(name) ? COMMANDS[name] : undefined;
  if (asksForHelp([name]) || (command !== undefined && asksForHelp(words))) {
    console.log(helpOn(name));
    return 0;
  }
  try {
    if (command === undefined) throw new BadUsage(`there is no admin command "${name}"`);
    const printed = await command.run(Options.read(words, command.texts, command.switches ?? []), settings);
    const { output, exitCode } = printed instanceof Verdict ? printed : new Verdict(printed, 0);
    process.stdout.write(typeof output === 'string' ? output : `${JSON.stringify(output)}\n`);
    return exitCode;
  } catch (error) {
    console.error(`signalbox admin: ${errorText(error)}`);
    if (!(error instanceof BadUsage)) return 1;
    console.error(`\n${helpOn(name)}`);
    return 2;
  }
}
