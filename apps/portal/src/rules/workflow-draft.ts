import type { Workflow, WorkflowsUpdateInput } from '@signalbox/sdk';
import { isJsonObject } from './json-object.js';

export interface Draft {
  workflow_name: string;
  description: string;
  language: Workflow['language'];
  script: string;
  execution_mode: Workflow['execution_mode'];
  timeout_seconds: string;
  memory_mb: string;
  allow_inproc_nesting: boolean;
  inproc_nested_refs: string;
  input_schema: string;
  output_schema: string;
}

const schemaText = (schema: Record<string, unknown> | null): string =>
  schema === null ? '' : JSON.stringify(schema, null, 2);

export const draftOf = (workflow: Workflow): Draft => ({
  workflow_name: workflow.workflow_name,
  description: workflow.description,
  language: workflow.language,
  script: workflow.script ?? '',
  execution_mode: workflow.execution_mode,
  timeout_seconds: String(workflow.timeout_seconds),
  memory_mb: String(workflow.memory_mb),
  allow_inproc_nesting: workflow.allow_inproc_nesting,
  inproc_nested_refs: workflow.inproc_nested_refs.join('\n'),
  input_schema: schemaText(workflow.input_schema),
  output_schema: schemaText(workflow.output_schema),
});

export const isEqual = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Null for an empty text, undefined for one that is no schema. */
export function schemaIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function problemsOf(draft: Draft): string[] {
  return [
    schemaIn(draft.input_schema) === undefined && 'The input schema is not a JSON object.',
    schemaIn(draft.output_schema) === undefined && 'The output schema is not a JSON object.',
    draft.workflow_name.trim() === '' && 'The name is empty.',
    !/^\d+$/.test(draft.timeout_seconds) && 'The time limit is not a whole number of seconds.',
    !/^\d+$/.test(draft.memory_mb) && 'The memory is not a whole number of MB.',
  ].filter((problem) => problem !== false);
}

export function changesOf(was: Draft, draft: Draft): Omit<WorkflowsUpdateInput, 'workflow_id'> {
  const all = {
    workflow_name: draft.workflow_name.trim(),
    description: draft.description,
    language: draft.language,
    script: draft.script,
    execution_mode: draft.execution_mode,
    timeout_seconds: Number(draft.timeout_seconds),
    memory_mb: Number(draft.memory_mb),
    allow_inproc_nesting: draft.allow_inproc_nesting,
    inproc_nested_refs: draft.inproc_nested_refs.split(/\s+/).filter(Boolean),
    input_schema: schemaIn(draft.input_schema) ?? null,
    output_schema: schemaIn(draft.output_schema) ?? null,
  };
  const names = (Object.keys(all) as (keyof Draft)[]).filter((name) => was[name] !== draft[name]);
  // The language determines how the script is read, so both are sent together.
  if (names.includes('language') && !names.includes('script')) names.push('script');
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}
