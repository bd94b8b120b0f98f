// Phrases that comments, titles of tests and documents do not use, and what is written instead
// (libs/contracts/README.md, «Words»). Code is checked by ESLint, all other texts by prose.mjs.

const WORDS = {
  'of (?:its|their|our) own': 'separate, another, or the owner by name',
  'go(?:es)? on': 'continues',
  'whoever|somebody|nobody': 'the caller, the client, a worker, no subscriber',
  beside: 'next to, in addition to, and',
  'tells|told': 'emits, sends, sent, shows',
  hands: 'sends, passes, slots',
  'hears?|wishe[sd]': 'receives, input',
  'comes and goes': 'starts and stops',
};
// Names of earlier versions that no reader knows from elsewhere, and the terms that have replaced them.
const RETIRED = new Map(
  Object.entries({
    answerer: 'CompletionBackend',
    briefOf: 'loopStateOf',
    buried: 'deadLettered',
    bury: 'deadLetter',
    callPlace: 'CallScope',
    commitNews: 'RelayWakeup',
    departureFrom: 'disconnectSignal',
    dethrone: 'clearLatest',
    essence: 'CANONICAL_DRAFT',
    guesses: 'AnonymousRateLimiter',
    happening: 'TaskEvent',
    happenings: 'task events',
    heirs: 'successors',
    keyRing: 'ApiKeyResolver',
    lastKnown: 'StaleWhileRevalidateCache',
    lockAbove: 'lockAncestors',
    nearServer: 'InProcessServer',
    oneWayText: 'AppendOnlyText',
    ownCaller: 'serviceCaller',
    patient: 'neverAborted',
    pieceStreams: 'ChunkedReplies',
    recurringPass: 'IntervalJob',
    resumeAbove: 'resumeAncestors',
    rowWorker: 'JobWorker',
    spanOfTime: 'DateRange',
    speech: 'AnswerStream',
    spoken: 'inUse, messages',
    standby: 'FallbackAttempt',
    taker: 'Sink',
    taskIntake: 'TaskSubmission',
    taskNews: 'TaskNotifications',
    taskOver: 'TaskEndedError',
    told: 'emitted',
    veil: 'mask',
    veiled: 'masked, offloaded',
  }).map(([name, term]) => [name.toLowerCase(), term]),
);
const BANNED = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'i');

// A document breaks lines within a phrase; a comment of a setting begins the next one with a hash.
const ACROSS_LINES = new RegExp(BANNED.source.replaceAll(' ', '\\s+(?:#\\s*)?'), 'gi');

/** What is written instead of a phrase. */
const insteadOf = (found) =>
  Object.entries(WORDS).find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(found))?.[1] ?? 'a plain word';

/** The phrases of a text, each with the number of its line and what is written instead. */
export const phrasesIn = (text) =>
  [...text.matchAll(ACROSS_LINES)].map(({ 0: found, index }) => {
    const phrase = found.replace(/\s+(?:#\s*)?/g, ' ');
    return { line: text.slice(0, index).split('\n').length, phrase, instead: insteadOf(phrase) };
  });

/** The identifier that a call begins with: `it` of `it.each(rows)(title)`. */
function rootOf(callee) {
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return rootOf(callee.callee ?? callee.tag);
  return callee.name;
}

/** Lint rule: one report for each comment or title with such a phrase, and for each use of a retired name. */
export const wordsRule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const check = (node, text) => {
      const [found] = BANNED.exec(text) ?? [];
      if (found) context.report({ node, message: `«${found}» is not used here: write ${insteadOf(found)}.` });
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value);
      },
      Identifier(node) {
        const term = RETIRED.get(node.name.toLowerCase());
        if (term) context.report({ node, message: `${node.name} is a retired name: the term is ${term}.` });
      },
      CallExpression({ callee, arguments: [title] }) {
        if (typeof title?.value === 'string' && ['it', 'describe'].includes(rootOf(callee))) check(title, title.value);
      },
    };
  },
};
