const STOP_WORDS = new Set(
  (
    'a an the of to in on at for from by with without as is are was were be been do does did can could would should i we you ' +
    'my our your it its this that these those there what which who how when where why if and or not so me us please want ' +
    'need like some any all one now right before after them into about have has had was will'
  ).split(' '),
);

/** Suffixes and their replacements, longest first. */
const ENDINGS: readonly [ending: string, instead: string][] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ions', ''],
  ['ion', ''],
  ['eria', 'erion'],
  ['ers', ''],
  ['er', ''],
  ['ed', ''],
  ['es', ''],
  ['s', ''],
  ['e', ''],
];
const MIN_STEM = 3;

/** Different forms of a word get the same stem. */
export function stemOf(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    const stem = word.slice(0, -ending.length) + instead;
    if (!word.endsWith(ending) || stem.length < MIN_STEM || word.endsWith('ss')) continue;
    // Doubled consonants come from the suffix: `tagging`, `stopped`.
    return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
  }
  return word;
}

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export const indexedWord = (word: string): string | null => (STOP_WORDS.has(word) ? null : stemOf(word));

/** Words of users, and the words of the documents for them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  app: 'application',
  answer: 'response completion',
  answers: 'response completion',
  assistant: 'agent',
  attempt: 'task',
  bot: 'agent',
  callback: 'callback hook',
  case: 'item',
  check: 'test check',
  chat: 'chat completion',
  chats: 'session',
  client: 'elsewhere',
  conditions: 'rule',
  conversation: 'session',
  conversations: 'session',
  cost: 'cost usage token',
  costs: 'cost usage token',
  criterion: 'criterion criteria',
  delegate: 'subagent sub',
  duplicate: 'copy clone',
  errors: 'failed fault',
  expensive: 'cost usage',
  fallback: 'fallback config configuration',
  history: 'history moves',
  key: 'key api',
  label: 'add tag',
  labels: 'tag',
  laptop: 'here platform',
  old: 'recorded',
  order: 'reorder position',
  latency: 'latency response time',
  money: 'cost usage',
  monitoring: 'monitor judging',
  openai: 'provider model',
  output: 'output',
  percentiles: 'latency response time',
  privacy: 'content',
  production: 'production release',
  promote: 'move release',
  rating: 'feedback',
  recorded: 'request',
  result: 'end task',
  rollback: 'restore published',
  score: 'evaluation criterion scores',
  scored: 'evaluation criterion scores',
  scoring: 'evaluation criterion scores',
  settings: 'configuration config settings',
  slow: 'latency response time',
  speed: 'latency response time',
  steps: 'timeline happened',
  subagents: 'subagent sub',
  summary: 'summarize',
  switch: 'switch',
  tenant: 'company',
  thumbs: 'feedback',
  tool: 'action',
  tools: 'action',
  watch: 'attached target',
  who: 'audit',
  works: 'test connection',
};

const VERBS: Readonly<Record<string, string>> = {
  abort: 'cancel',
  activate: 'activate start',
  add: 'add create attach',
  alter: 'change',
  apply: 'apply',
  ask: 'ask create',
  build: 'create',
  call: 'run create',
  collect: 'add field',
  configure: 'change configuration config',
  define: 'create',
  delete: 'delete remove',
  edit: 'change',
  erase: 'delete',
  execute: 'run',
  fix: 'correct',
  give: 'add',
  invoke: 'run invoke',
  make: 'create',
  modify: 'change',
  new: 'create',
  promote: 'move',
  register: 'create',
  remove: 'remove delete',
  rename: 'change rename',
  replace: 'replace',
  revert: 'restore',
  search: 'search',
  send: 'create',
  set: 'set create change',
  start: 'start',
  stop: 'cancel stop',
  store: 'store',
  stream: 'follow stream',
  undo: 'remove',
  update: 'change',
  write: 'create',
};

/** Groups of words that together mean something else. */
const PHRASES: readonly [pattern: RegExp, instead: string][] = [
  [/\broll(ed|ing)? back\b/g, 'restore published version'],
  [/\b(turn|switch)(ed|ing)? off\b/g, 'disable'],
  [/\b(turn|switch)(ed|ing)? on\b/g, 'enable'],
  [/\b(try|trying) out\b/g, 'preview test'],
  [/\bset(ting)? up\b/g, 'create'],
  [/\bwho (changed|did|deleted|created)\b/g, 'audit log writes'],
  [/\bhow (many|much|often)\b/g, 'count'],
  [/\b(everything|what) (that )?happened\b/g, 'timeline events'],
  [/\bright now\b/g, 'current'],
  [/\b(can|may) (i|we) use\b/g, 'available called'],
  [/\bcommand line\b/g, 'signalbox command cli'],
];

export interface QueryWord {
  word: string;
  weight: number;
}

const SYNONYM_WEIGHT = 0.6;

/** The words of a question, and with less weight those that the documents use for them. */
export function queryWordsOf(question: string): QueryWord[] {
  const text = PHRASES.reduce(
    (replaced, [pattern, instead]) => replaced.replace(pattern, instead),
    question.toLowerCase(),
  );
  const weights = new Map<string, number>();
  const add = (word: string, weight: number): void => {
    const indexed = indexedWord(word);
    if (indexed !== null) weights.set(indexed, Math.max(weights.get(indexed) ?? 0, weight));
  };
  for (const word of wordsOf(text)) {
    add(word, 1);
    for (const other of wordsOf(`${SYNONYMS[word] ?? ''} ${VERBS[word] ?? ''}`)) add(other, SYNONYM_WEIGHT);
  }
  return [...weights].map(([word, weight]) => ({ word, weight }));
}

const METHODS: readonly [pattern: RegExp, methods: readonly string[]][] = [
  [/^(how (do|can) (i|we) )?(create|make|add|register|define|set up|build|new|send|run|publish)\b/, ['POST']],
  [/^(how (do|can) (i|we) )?(delete|remove|undo|erase|detach)\b/, ['DELETE']],
  [
    /^(how (do|can) (i|we) )?(change|update|edit|configure|rename|override|turn|switch|enable|disable|pause|promote)\b/,
    ['PUT'],
  ],
  [
    /^(how (do|can) (i|we) )?(list|show|see|get|which|what|how many|how much|find|export|who|stream|history|compare|why)\b/,
    ['GET'],
  ],
];

export const methodsOf = (question: string): readonly string[] =>
  METHODS.find(([pattern]) => pattern.test(question.toLowerCase().trim()))?.[1] ?? [];
