import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../src/admin/commands.js';
import { up } from '../src/machine/up.js';
import { upgrade } from '../src/machine/upgrade.js';
import { readSettings } from '../src/settings/settings.js';
import { ROOT } from './manifests.js';

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const PAGES = [
  ...pagesIn('docs/operations'),
  ...pagesIn('docs/operations/runbooks'),
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'k8s/README.md'],
];

/** A command of operators as far as its last option, in a code span or block. */
const WRITTEN = /(?:\bsignalbox |\boperator |\bcli |`)(admin|up|upgrade)\b([^`|;&>)#\n]*)/g;
/** A sentence about all of these commands. */
const OF_ALL = ['', '…', '--help'];

interface Written {
  name: string;
  options: string[];
}

function commandsIn(text: string): Written[] {
  return [...text.matchAll(WRITTEN)].flatMap(([, command = '', rest = '']) => {
    const [first = '', second = ''] = rest.trim().split(/[\s,.:]+/);
    if (command === 'admin' && OF_ALL.includes(first)) return [];
    const both = `${first} ${second}`;
    const name = command === 'admin' ? (Object.hasOwn(COMMANDS, both) ? both : first) : command;
    return [{ name, options: [...rest.matchAll(/--([a-z-]+)/g)].map(([, option]) => option!) }];
  });
}

/** What the help of a command names. */
async function optionsOf(command: typeof up): Promise<string[]> {
  const { log } = console;
  let help = '';
  console.log = (text: string) => void (help += text);
  try {
    await command(readSettings({}), ['--help']);
  } finally {
    console.log = log;
  }
  return [...help.matchAll(/--([a-z-]+)/g)].map(([, option]) => option!);
}

/** The commands that do not exist, or have options that they do not take. */
async function wrongOf(commands: Written[]): Promise<Written[]> {
  const known = new Map<string, readonly string[]>([
    ...Object.entries(COMMANDS).map(([name, { texts, switches = [] }]) => [name, [...texts, ...switches]] as const),
    ['up', await optionsOf(up)],
    ['upgrade', await optionsOf(upgrade)],
  ]);
  return commands.filter(
    ({ name, options }) => !options.every((each) => known.get(name)?.includes(each)) || !known.has(name),
  );
}

describe('the pages for operators', () => {
  it.each(PAGES)('name commands that exist, with options that they take, in %s', async (page) => {
    expect(await wrongOf(commandsIn(readFileSync(join(ROOT, page), 'utf8')))).toEqual([]);
  });

  it('are searched for commands', async () => {
    expect(PAGES.flatMap((page) => commandsIn(readFileSync(join(ROOT, page), 'utf8'))).length).toBeGreaterThan(80);
    const text =
      'Run `signalbox admin doctor --jsn`, or `admin docter`.\nsignalbox upgrade --plan && signalbox up --all\n';
    expect(await wrongOf(commandsIn(text))).toEqual([
      { name: 'doctor', options: ['jsn'] },
      { name: 'docter', options: [] },
      { name: 'up', options: ['all'] },
    ]);
  });
});
