import type { VersionDiff } from '@signalbox/sdk';
import { changesOf, wordsOf } from './changes.js';
import { oneLine } from './formats.js';

export interface Difference {
  what: string;
  from: string;
  to: string;
  /** Not to be read in one line each: to be compared line by line. */
  isLong?: true;
}

type Fields = Record<string, unknown>;

interface Parts {
  added: unknown[];
  removed: unknown[];
  changed: unknown[];
}

const LISTS = ['actions', 'sub_agents', 'routing_rules', 'form_fields'] as const;
const LONGEST = 300;
const NOTHING = '–';

export function differencesOf(diff: VersionDiff): Difference[] {
  const fields = Object.entries((diff.changes ?? {}) as Record<string, { from: unknown; to: unknown }>);
  return [
    ...fields.map(([path, { from, to }]) => differenceOf(wordsOf(path), from, to)),
    ...LISTS.flatMap((list) => partsOf(wordsOf(list), diff[list] as Parts | undefined)),
  ];
}

function partsOf(list: string, parts: Parts | undefined): Difference[] {
  if (!parts) return [];
  const { added, removed, changed } = parts;
  return [
    ...removed.map((each) => ({ what: `${list}: ${nameOf(each)}`, from: 'there', to: 'removed' })),
    ...added.map((each) => ({ what: `${list}: ${nameOf(each)}`, from: NOTHING, to: 'added' })),
    ...changed.flatMap((each) => changesIn(`${list}: ${nameOf(each)}`, each as { from?: Fields; to?: Fields })),
  ];
}

const changesIn = (part: string, { from, to }: { from?: Fields; to?: Fields }): Difference[] =>
  changesOf(from ?? null, to ?? null)
    // That of a part which was made anew.
    .filter(({ field }) => field !== 'id')
    .map(({ field, before, after }) => differenceOf(`${part}, ${wordsOf(field)}`, before, after));

const NAMES = [
  ...['name', 'action_name', 'field_name', 'field_key', 'rule_name', 'label'],
  ...['agent_name', 'child_agent_id', 'key', 'id'],
];

function nameOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  const fields = part as Fields;
  const named = NAMES.find((name) => fields[name] !== undefined);
  return named === undefined ? oneLine(JSON.stringify(part), 60) : String(fields[named]);
}

function differenceOf(what: string, from: unknown, to: unknown): Difference {
  const [before, after] = [text(from), text(to)];
  if (isShort(before) && isShort(after)) return { what, from: before || NOTHING, to: after || NOTHING };
  return { what, from: text(from, 2), to: text(to, 2), isLong: true };
}

const isShort = (value: string): boolean => oneLine(value, LONGEST) === value;

const text = (value: unknown, indent?: number): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, indent);
