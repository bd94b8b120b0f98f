import type { Filter } from '../../rules/filters.js';

export const DESCRIPTION = { type: 'string', title: 'Description', maxLength: 2000 };
export const state = (name: string) => ({
  type: 'string',
  enum: ['ENABLED', 'DISABLED'],
  enumNames: ['enabled', 'disabled'],
  title: name,
});
export const SEARCH: Filter = { name: 'search', label: 'Name contains', kind: 'text', isMain: true };
export const choiceOf = (name: string, label: string, values: readonly string[], words?: Filter['words']): Filter => ({
  name,
  label,
  kind: 'choice',
  values,
  isMain: true,
  ...(words ? { words } : {}),
});
export const oneOf = (name: string, label: string, words: Readonly<Record<string, string>>): Filter =>
  choiceOf(name, label, Object.keys(words), words);
