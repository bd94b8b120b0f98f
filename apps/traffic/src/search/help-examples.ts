import type { ExampleLanguage } from '@signalbox/contracts';
import type { DocumentedEndpoint } from './documented-endpoint.js';

function target({ path, query }: DocumentedEndpoint): string {
  const parameters = query.map(({ name, sample }) => `${name}=${String(sample)}`).join('&');
  return path.replaceAll(/\{(\w+)\}/g, '<$1>') + (parameters ? `?${parameters}` : '');
}

const bodyOf = ({ body }: DocumentedEndpoint): Record<string, unknown> | null =>
  body && Object.fromEntries(body.map(({ name, sample }) => [name, sample]));

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(endpoint: DocumentedEndpoint): string {
  const body = bodyOf(endpoint);
  return [
    `curl -X ${endpoint.method} "$BASE_URL${target(endpoint)}"`,
    '-H "X-Service-Api-Key: $API_KEY"',
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

function typescript(endpoint: DocumentedEndpoint): string {
  const body = bodyOf(endpoint);
  const type = body ? `, 'Content-Type': 'application/json'` : '';
  return [
    `const reply = await fetch(\`\${BASE_URL}${target(endpoint)}\`, {`,
    `  method: '${endpoint.method}',`,
    `  headers: { 'X-Service-Api-Key': API_KEY${type} },`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    '});',
    'const { data } = await reply.json();',
  ].join('\n');
}

function pythonOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonOf(each)}`)
    .join(', ')}}`;
}

function python(endpoint: DocumentedEndpoint): string {
  const body = bodyOf(endpoint);
  const type = body ? ', "Content-Type": "application/json"' : '';
  return [
    'import json, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    BASE_URL + ${JSON.stringify(target(endpoint))},`,
    `    method="${endpoint.method}",`,
    `    headers={"X-Service-Api-Key": API_KEY${type}},`,
    ...(body ? [`    data=json.dumps(${pythonOf(body)}).encode(),`] : []),
    ')',
    'data = json.load(urllib.request.urlopen(request))["data"]',
  ].join('\n');
}

const LANGUAGES: Record<ExampleLanguage, (endpoint: DocumentedEndpoint) => string> = { curl, typescript, python };

export const exampleOf = (endpoint: DocumentedEndpoint, language: ExampleLanguage): string =>
  LANGUAGES[language](endpoint);
