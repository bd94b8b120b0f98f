export interface Concept {
  title: string;
  family: string;
  summary: string;
}

export const CONCEPTS: readonly Concept[] = [
  {
    title: 'Draft, version, release',
    family: 'Agents',
    summary:
      'A draft is the changeable state of an agent, workflow or monitor. Publishing freezes it as a version that never changes; a release is a named pointer to a version.',
  },
  {
    title: 'Gate',
    family: 'Agents',
    summary: 'The condition under which a release may move: a test run of the version with a minimum match rate.',
  },
  { title: 'Task', family: 'Agents', summary: 'One run of an agent: its messages, its steps and its answer.' },
  { title: 'Session', family: 'Sessions', summary: 'A conversation: the requests or tasks that belong together.' },
  {
    title: 'Intent',
    family: 'Intents',
    summary:
      'What a call of an application is for; intents of the same name in several applications form an intent group.',
  },
  {
    title: 'Scopes',
    family: 'API keys',
    summary:
      'A key has the scopes read, write, invoke and admin: reading, changing, calling models or scripts, and administering keys and the company.',
  },
  {
    title: 'Authentication',
    family: 'API keys',
    summary:
      'Every call carries its key in the header X-Service-Api-Key; chat completions and models also accept Authorization: Bearer.',
  },
  {
    title: 'Idempotency',
    family: 'API keys',
    summary: 'A POST with the header Idempotency-Key takes effect once; repeats return the first reply for 24 hours.',
  },
  {
    title: 'Lists',
    family: 'Document',
    summary: 'Every list takes offset, limit, search and sort and returns data with pagination and an exact total.',
  },
  {
    title: 'Errors',
    family: 'Document',
    summary: 'An error is {error: {status, message}} with details of the fields that are wrong.',
  },
  {
    title: 'Streams',
    family: 'Agents',
    summary: 'Tasks stream as server-sent events; a client reconnects with Last-Event-ID and misses nothing.',
  },
  {
    title: 'Corrections',
    family: 'Requests',
    summary: 'A correction replaces the answer of a recorded request for datasets and tests; the original stays.',
  },
];
