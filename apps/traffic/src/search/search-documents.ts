import type { Contract, JsonSchema } from '@signalbox/contracts';
import { ADMIN_COMMANDS, CLI_COMMANDS, clientDocument } from '@signalbox/openapi';
import { CONCEPTS } from './concepts.js';

export interface SearchDocument {
  id: string;
  kind: 'endpoint' | 'command' | 'concept';
  title: string;
  method: string;
  path: string;
  /** The command that calls the endpoint, or the command itself; empty for a concept. */
  command: string;
  family: string;
  summary: string;
  route: string;
  fields: string;
}

interface Operation {
  tags: string[];
  summary: string;
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema?: { properties?: Record<string, unknown> } }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const isParameter = (step: string): boolean => step.startsWith('{');

/** The last word twice: it names what the endpoint is about. */
function routeOf(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && !isParameter(step));
  return [...steps, steps.at(-1) ?? ''].join(' ').replaceAll(/[-_]/g, ' ');
}

const bodyOf = ({ requestBody }: Operation): string[] =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.keys(schema?.properties ?? {}));

function endpointDocument(path: string, method: string, operation: Operation, command: string): SearchDocument {
  const names = [...(operation.parameters ?? []).map(({ name }) => name), ...bodyOf(operation)];
  return {
    id: `${method.toUpperCase()} ${path}`,
    kind: 'endpoint',
    title: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    command,
    family: operation.tags[0] ?? '',
    summary: operation.summary,
    route: routeOf(path),
    fields: names.join(' ').replaceAll('_', ' '),
  };
}

function commandDocument(name: string, { usage, description }: { usage: string; description: string }): SearchDocument {
  const command = `signalbox ${name} ${usage}`.trim();
  return {
    id: `signalbox ${name}`,
    kind: 'command',
    title: `signalbox ${name}`,
    method: '',
    path: '',
    command,
    family: 'Command line',
    summary: description,
    route: `signalbox command line cli ${name.replaceAll('-', ' ')}`,
    fields: usage.replaceAll(/[^a-z]+/gi, ' '),
  };
}

/** `signalbox <family> <verb>` by the route that it calls. */
export type RouteCommands = ReadonlyMap<string, string>;

export const routeCommands = (contracts: readonly Contract[]): RouteCommands =>
  new Map(clientDocument(contracts).operations.map(({ method, path, command }) => [`${method} ${path}`, command]));

/** Commands that call an endpoint are part of its document; other commands have one of their own. */
export function searchDocuments(openApi: JsonSchema, commands: RouteCommands): SearchDocument[] {
  const { paths } = openApi as unknown as Document;
  return [
    ...Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        // PATCH is the same as PUT (docs/api/README.md).
        .filter(([method]) => method !== 'patch')
        .map(([method, operation]) =>
          endpointDocument(path, method, operation, commands.get(`${method.toUpperCase()} ${path}`) ?? ''),
        ),
    ),
    ...Object.entries(CLI_COMMANDS).map(([name, help]) => commandDocument(name, help)),
    ...Object.entries(ADMIN_COMMANDS).map(([name, help]) => commandDocument(`admin ${name}`, help)),
    ...CONCEPTS.map(({ title, family, summary }) => ({
      id: `concept ${title}`,
      kind: 'concept' as const,
      title,
      method: '',
      path: '',
      command: '',
      family,
      summary,
      route: '',
      fields: '',
    })),
  ];
}
