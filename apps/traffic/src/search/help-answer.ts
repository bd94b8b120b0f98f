import type { ExampleLanguage, HelpAnswer, SearchResult } from '@signalbox/contracts';
import type { DocumentedEndpoint } from './documented-endpoint.js';
import { exampleOf } from './help-examples.js';

export interface HelpMaterial {
  results: readonly SearchResult[];
  endpoints: readonly DocumentedEndpoint[];
}

/** Results with less than this share of the best score are not part of an answer. */
const MIN_SHARE = 0.75;
const MAX_ENDPOINTS = 3;

const DOCUMENT = '/openapi.json';

export function relevant(results: readonly SearchResult[]): SearchResult[] {
  const best = results[0]?.score ?? 0;
  return results.filter(({ score }) => score >= best * MIN_SHARE).slice(0, MAX_ENDPOINTS);
}

const nameOf = ({ method, path }: Pick<DocumentedEndpoint, 'method' | 'path'>): string => `${method} ${path}`;

function lookups({ path }: DocumentedEndpoint): string[] {
  const steps = path.split('/');
  return steps.flatMap((step, at) =>
    /^\{\w+\}$/.test(step) ? [`Take ${step.slice(1, -1)} from GET ${steps.slice(0, at).join('/')}.`] : [],
  );
}

function stepsOf(endpoint: DocumentedEndpoint): string[] {
  const { scope, body } = endpoint;
  const key =
    scope === 'none'
      ? []
      : [`Use a key with the scope ${scope === 'any' ? 'read' : scope} in the header X-Service-Api-Key.`];
  const fields = (body ?? []).map(({ name }) => name);
  const needs = fields.length > 0 ? ` with ${fields.join(', ')}` : '';
  return [...key, ...lookups(endpoint), `Call ${nameOf(endpoint)}${needs}.`];
}

function sentenceOf(result: SearchResult): string {
  if (result.kind === 'concept') return `${result.title}: ${result.summary}`;
  return result.kind === 'command'
    ? `On the command line, ${result.command} does this: ${result.summary}.`
    : `${result.method} ${result.path} does this: ${result.summary}.`;
}

const NOTHING =
  'No endpoint and no command matches the question. Ask with the words of the API, such as agent, task, request, session, monitor or test set.';

export function helpAnswer({ results, endpoints }: HelpMaterial, language: ExampleLanguage): HelpAnswer {
  const [best] = results;
  const [first, ...others] = endpoints;
  const related = others.length > 0 ? ` Related: ${others.map(nameOf).join(', ')}.` : '';
  return {
    answer: best ? `${sentenceOf(best)}${related}` : NOTHING,
    steps: first ? stepsOf(first) : [],
    endpoints: endpoints.map(({ method, path, summary }) => ({ method, path, why: summary })),
    examples: first ? [{ language, code: exampleOf(first, language) }] : [],
    sources: results.map(({ kind, title }) => ({ title, path: kind === 'command' ? 'signalbox help' : DOCUMENT })),
    generated_by: 'template',
  };
}
