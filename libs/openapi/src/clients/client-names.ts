import type { Endpoint } from '@signalbox/contracts';

/** What a client calls an endpoint: `client.<family>.<verb>` in camel case, `signalbox <family> <verb>` in kebab case. */
export interface ClientName {
  family: string;
  verb: string;
}

interface FamilyWords {
  family: string;
  /** The resource of the family; a verb does not repeat it. */
  noun: string;
}

/** Families whose words do not follow from their tag. */
const FAMILIES: Record<string, FamilyWords> = {
  'API keys': { family: 'apiKeys', noun: 'ApiKey' },
  'Audit log': { family: 'auditLog', noun: 'AuditEntry' },
  'Chat completions': { family: 'chat', noun: 'Completion' },
  Company: { family: 'company', noun: 'Company' },
  'Evaluation Criteria': { family: 'evaluationCriteria', noun: 'Criteria' },
  'MCP Servers': { family: 'mcpServers', noun: 'McpServer' },
  'Search and Help': { family: 'search', noun: 'Search' },
  'Unified Test Runs': { family: 'testRuns', noun: 'TestRun' },
  'Unified Test Sets': { family: 'testSets', noun: 'TestSet' },
};

/** Verbs that would say twice what their family says. */
const VERBS: Record<string, string> = {
  searchDocuments: 'documents',
  searchDocumentsByBody: 'documentsByBody',
  askForHelp: 'ask',
  findResources: 'find',
};

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
const plural = (noun: string): string => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function wordsOf(tag: string): FamilyWords {
  const known = FAMILIES[tag];
  if (known) return known;
  const joined = tag
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return { family: lowerFirst(joined), noun: singular(joined) };
}

/** `listAgents` of the agents is `list`, `listAllMonitorRuns` of the monitors is `listAllRuns`. */
function verbOf(name: string, noun: string): string {
  const known = VERBS[name];
  if (known !== undefined) return known;
  const [, verb = name, which = '', rest = ''] = /^([a-z]+)(All|Any|Available|Current)?(.*)$/.exec(name) ?? [];
  const own = new RegExp(`^(${plural(noun)}|${noun})(?![a-z])`).exec(rest)?.[0] ?? '';
  return `${verb}${which}${rest.slice(own.length)}`;
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The command that calls an endpoint, with the parameters of its path. */
export function commandText({ family, verb }: ClientName, parameters: readonly string[]): string {
  const words = parameters.map((name) => `<${name.replaceAll('_', '-')}>`);
  return ['signalbox', kebab(family), kebab(verb), ...words].join(' ');
}

/** The names of public endpoints; two endpoints of a family that would have the same verb keep their whole names. */
export function clientNames(endpoints: readonly Endpoint[]): Map<Endpoint, ClientName> {
  const names = new Map<Endpoint, ClientName>();
  const taken = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const { family, noun } = wordsOf(endpoint.tag);
    const verb = verbOf(endpoint.name, noun);
    const earlier = taken.get(`${family}.${verb}`);
    taken.set(`${family}.${verb}`, endpoint);
    names.set(endpoint, { family, verb: earlier ? endpoint.name : verb });
    if (earlier) names.set(earlier, { family, verb: earlier.name });
  }
  requireUnique([...names.values()]);
  return names;
}

function requireUnique(names: ClientName[]): void {
  const seen = new Set<string>();
  for (const { family, verb } of names) {
    if (seen.has(`${family}.${verb}`)) throw new Error(`two endpoints are called ${family}.${verb} in clients`);
    seen.add(`${family}.${verb}`);
  }
}
