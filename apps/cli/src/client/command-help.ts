import type { Catalog, Command, CommandField } from './catalog.js';
import { isFollowable } from './following.js';
import { OPTIONS, type Options } from './options.js';

const WIDTH = 34;

const dashed = (name: string): string => name.replaceAll('_', '-');
const row = (left: string, right: string): string => `  ${left.padEnd(WIDTH)}  ${right}`.trimEnd();

export function optionsOf(command: Command): (keyof Options)[] {
  const { shape, uploads, route, wholeBody, fields = [] } = command;
  const hasBody = wholeBody !== undefined || fields.some((field) => field.in === 'body');
  const all = Object.keys(OPTIONS) as (keyof Options)[];
  const applies: Partial<Record<keyof Options, boolean>> = {
    data: hasBody,
    all: shape === 'page',
    columns: shape === 'page',
    follow: isFollowable(command),
    file: uploads !== undefined || command.fileInsteadOf !== undefined,
    yes: command.destroys !== undefined,
    'idempotency-key': route.startsWith('POST '),
  };
  return all.filter((name) => applies[name] ?? true);
}

function placeholder({ type, words, items }: CommandField): string {
  if (words) return words.join('|');
  if (type === 'boolean') return '';
  return {
    integer: 'N',
    number: 'NUMBER',
    string: 'TEXT',
    json: 'JSON',
    list: `${items === 'integer' ? 'N' : 'TEXT'},…`,
  }[type];
}

function fieldLine(field: CommandField): string {
  const { name, required, about, default: value, nullable } = field;
  const notes = [
    required ? 'required' : '',
    about ?? '',
    value === undefined ? '' : `default ${JSON.stringify(value)}`,
    nullable === true ? 'or null' : '',
  ].filter((note) => note !== '');
  return row(`--${dashed(name)} ${placeholder(field)}`.trim(), notes.join('; '));
}

function placeOf(name: string, fields: CommandField[]): string {
  const isRequired = fields.find((field) => field.name === name)?.required === true;
  return isRequired ? `<${dashed(name)}>` : `[${dashed(name)}]`;
}

export function commandHelp(family: string, verb: string, command: Command): string {
  const { fields = [], positions = [], summary, route, scope } = command;
  const others = fields.filter((field) => field.in !== 'path');
  const usage = ['signalbox', family, verb, ...positions.map((name) => placeOf(name, fields)), '[options]'].join(' ');
  const sections = [
    `${usage}\n\n${summary}.`,
    `${route}${scope === undefined ? '' : `, scope ${scope}`}`,
    ...(others.length > 0 ? [`Fields:\n${others.map(fieldLine).join('\n')}`] : []),
    `Options:\n${optionsOf(command)
      .map((name) => row(OPTIONS[name].usage, OPTIONS[name].about))
      .join('\n')}`,
    ...(others.some(({ type }) => type === 'json' || type === 'string')
      ? ['A value @FILE is read from the file.']
      : []),
  ];
  return sections.join('\n\n');
}

export function familyHelp(family: string, verbs: Catalog[string]): string {
  const lines = Object.entries(verbs).map(([verb, { summary }]) => row(verb, summary));
  return `signalbox ${family} <verb>\n\n${lines.join('\n')}\n\nsignalbox ${family} <verb> --help lists the options.`;
}

export const clientHelp = (
  catalog: Catalog,
): string => `Commands of the API: signalbox <family> <verb>, with the families
  ${Object.keys(catalog).join(' ')}

They call SIGNALBOX_URL with SIGNALBOX_API_KEY, else the profile of --profile, SIGNALBOX_PROFILE or login, else the platform
that runs here.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no access, 4 not found, 5 refused by its state, 6 not reachable or busy.`;
