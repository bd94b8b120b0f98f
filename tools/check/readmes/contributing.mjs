// CONTRIBUTING.md shows fragments of files, each under a comment that says where it stands: a module of them.

const GIVEN = `import { Consumer, JobHandler, type JobWith } from '@signalbox/bus';
  import { type ApplicationRecord, type CallTo, consumption, Count, defineContract, EmptyInput, type EventEnvelope, trafficEvents } from '@signalbox/contracts';
  import { type Database, readStatement, type Tx } from '@signalbox/database';
  import { job } from '@signalbox/platform';
  type C = typeof contract;
  interface Agents { counts(companyId: number): AgentCounts; storeCounts(companyId: number, applicationId: number): Promise<void> }`;

/** What surrounds a fragment, by the comment above it; a class, a statement or a method has none. */
const SURROUNDINGS = [
  [
    /^\/\/ in the contract/,
    (code) => `const contract = defineContract({ name: 'agents', service: 'agents', tag: 'Agents' }, {${code}});`,
  ],
  [/^\/\/ apps\/\S+\/jobs\.ts/, (code) => `const agentJobs = {${code}};`],
  [/^\/\/ in \w+Consumers/, (code) => `const agentConsumers = {${code}};`],
  [/^\/\/ in a transaction/, (code) => `export function add(tx: Tx, applicationId: number) {${code}}`],
  [/^\/\/ in a provider/, (code, at) => `export class Provider${at} { declare agents: Agents; ${code}}`],
  [/^\/\/ in the repository/, (code) => `export class Repository { declare db: Database; ${code}}`],
  [/^(\/\*\*|export (class|const))/, (code) => code],
  [/^/, (code, at) => `export class Handlers${at} { declare agents: Agents; ${code}}`],
];

function surrounded(fragment, at) {
  const [, wrap] = SURROUNDINGS.find(([heading]) => heading.test(fragment.trim()));
  return wrap(`\n${fragment}\n`, at);
}

/** The module that the examples of CONTRIBUTING.md make together. */
export function contributingSource(text) {
  const examples = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const fragments = examples.flatMap((code) => code.split(/^(?=\/\/ )/m));
  return `${GIVEN}\n${fragments.map(surrounded).join('\n')}`;
}
