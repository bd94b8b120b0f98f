import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Signalbox, Workflow, WorkflowsCreateInput } from '@signalbox/sdk';
import { nullIfNotFound } from '../null-if-not-found.js';

const FOLDER = fileURLToPath(new URL('../../../../../../examples', import.meta.url));
/** A nested workflow comes before the one that refers to it. */
const NAMES = ['ticket-triage', 'invoice-extraction', 'research-digest', 'nightly-report', 'refund-approval'] as const;
const EXTENSIONS = { javascript: 'js', typescript: 'ts', python: 'py' } as const;
const TYPES: Record<string, string> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

export type ExampleName = (typeof NAMES)[number];

export interface Example {
  name: ExampleName;
  definition: WorkflowsCreateInput & { workflow_ref_name: string; language: keyof typeof EXTENSIONS };
  input: Record<string, unknown>;
  artifacts: { key: string; content_type: string; content_base64: string }[];
}

export function readExamples(): Promise<Example[]> {
  return Promise.all(NAMES.map(readExample));
}

async function readExample(name: ExampleName): Promise<Example> {
  const folder = join(FOLDER, name);
  const json = async (file: string): Promise<object> => JSON.parse(await readText(join(folder, file))) as object;
  const fields = (await json('workflow.json')) as Omit<Example['definition'], 'script'>;
  const script = await readText(join(folder, `script.${EXTENSIONS[fields.language]}`));
  const input = (await json('input.json')) as Example['input'];
  return { name, definition: { ...fields, script }, input, artifacts: await artifactsIn(join(folder, 'artifacts')) };
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${file} does not exist: this demo needs the folder "examples" of the repository`);
  });
}

async function artifactsIn(folder: string): Promise<Example['artifacts']> {
  const keys = await readdir(folder).catch(() => []);
  return Promise.all(
    keys.map(async (key) => ({
      key,
      content_type: TYPES[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      content_base64: await readFile(join(folder, key), 'base64'),
    })),
  );
}

export interface UploadedExample {
  workflow: Workflow;
  version: string;
  created: boolean;
}

export async function uploadExample(api: Signalbox, example: Example): Promise<UploadedExample> {
  const { workflow_ref_name, ...fields } = example.definition;
  const known = await api.workflows.getByRef({ workflow_ref_name }).catch(nullIfNotFound);
  const workflow = known
    ? await api.workflows.update({ workflow_id: known.id, ...fields })
    : await api.workflows.create(example.definition);
  const { id: workflow_id, latest_version_number: latest, has_unpublished_changes: changed } = workflow;
  for (const artifact of example.artifacts) await api.workflows.putArtifact({ workflow_id, ...artifact });
  if (latest !== null && !changed) return { workflow, version: latest, created: false };
  const { version_number } = await api.workflows.publishVersion({ workflow_id });
  return { workflow, version: version_number, created: known === null };
}
