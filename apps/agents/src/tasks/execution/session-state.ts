import { ApiError, isDeeperThan, OBJ_BOUNDS } from '@signalbox/contracts';
import type { FieldDraft } from '../../drafts/index.js';
import { changeState, visibleState } from '../../form-fields/index.js';

export interface ParentState {
  session_no: number;
  fields: FieldDraft[] | null;
  state: Record<string, unknown>;
}

export interface StateOwners {
  form_fields: readonly FieldDraft[];
  state: Record<string, unknown>;
  parent: ParentState | null;
}

export type StateChange = { own: Record<string, unknown>; parents: Record<string, unknown> } | { problem: string };

const keysOf = (fields: readonly FieldDraft[]): Set<string> => new Set(fields.map(({ field_key }) => field_key));

/** Fields of the own agent, and those that the parent shares under other keys. */
export function writableFields({ form_fields: own, parent }: StateOwners): FieldDraft[] {
  const taken = keysOf(own);
  const shared = (parent?.fields ?? []).filter(
    ({ write_scope, field_key }) => write_scope === 'all' && !taken.has(field_key),
  );
  return [...own, ...shared];
}

/** The task's own session takes precedence over its parent's. */
export function readableState({ state, parent }: StateOwners): Record<string, unknown> {
  const fields = parent?.fields ?? [];
  const shared = keysOf(fields);
  const visible = parent ? Object.entries(visibleState(fields, parent.state, 'child')) : [];
  // State of the parent outside of its form fields is not shared.
  return { ...Object.fromEntries(visible.filter(([key]) => shared.has(key))), ...state };
}

export function readChange(owners: StateOwners, text: string): StateChange {
  let given: unknown;
  try {
    given = JSON.parse(text || '{}');
  } catch {
    return { problem: 'the arguments are not valid JSON' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: 'the arguments are not a JSON object' };
  const { maxDepth } = OBJ_BOUNDS;
  if (isDeeperThan(given, maxDepth)) return { problem: `the arguments are nested more than ${maxDepth} deep` };
  try {
    return splitChange(owners, given as Record<string, unknown>);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.extras.details?.map(({ field, message }) => `${field} ${message}`);
    return { problem: details?.join('; ') ?? error.message };
  }
}

function splitChange(owners: StateOwners, given: Record<string, unknown>): StateChange {
  const own = keysOf(owners.form_fields);
  const shared = keysOf(owners.parent?.fields ?? []);
  const isParents = (key: string): boolean => !own.has(key) && shared.has(key);
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => isParents(key) === wanted));
  const [mine, parents] = [part(false), part(true)];
  changeState(owners.parent?.fields ?? [], {}, parents, 'child');
  // An agent without fields accepts any key, but the tool accepts only the keys that it offers.
  const unknown = owners.form_fields.length === 0 ? Object.keys(mine) : [];
  if (unknown.length > 0) return { problem: `${unknown.join(', ').slice(0, 200)}: not a field that can be written` };
  changeState(owners.form_fields, {}, mine);
  return { own: mine, parents };
}
