import type { VersionDiff } from '@signalbox/sdk';
import { wordsOf } from './changes.js';
import { oneLine } from './formats.js';

export interface Difference {
  what: string;
  from: string;
  to: string;
}

interface Parts {
  added: unknown[];
  removed: unknown[];
  changed: unknown[];
}

const LISTS = ['actions', 'sub_agents', 'routing_rules', 'form_fields'] as const;
const LONGEST = 300;

export function differencesOf(diff: VersionDiff): Difference[] {
  const fields = Object.entries((diff.changes ?? {}) as Record<string, { from: unknown; to: unknown }>);
  return [
    ...fields.map(([path, { from, to }]) => ({ what: wordsOf(path), from: text(from), to: text(to) })),
    ...LISTS.flatMap((list) => partsOf(wordsOf(list), diff[list] as Parts | undefined)),
  ];
}

function partsOf(list: string, parts: Parts | undefined): Difference[] {
  if (!parts) return [];
  const { added, removed, changed } = parts;
  return [
    ...removed.map((each) => ({ what: `${list}: ${nameOf(each)}`, from: 'there', to: 'removed' })),
    ...added.map((each) => ({ what: `${list}: ${nameOf(each)}`, from: '–', to: 'added' })),
    ...changed.map((each) => ({ what: `${list}: ${nameOf(each)}`, from: '', to: 'changed' })),
  ];
}

const NAMES = ['name', 'action_name', 'field_name', 'rule_name', 'agent_name', 'key', 'id'];

function nameOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  const fields = part as Record<string, unknown>;
  const named = NAMES.find((name) => fields[name] !== undefined);
  return named === undefined ? oneLine(JSON.stringify(part), 60) : String(fields[named]);
}

const text = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);
