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
const RETIRED = new Map([
  ['answerer', 'CompletionBackend'],
  ['briefof', 'loopStateOf'],
  ['buried', 'deadLettered'],
  ['bury', 'deadLetter'],
  ['callplace', 'CallScope'],
  ['commitnews', 'RelayWakeup'],
  ['departurefrom', 'disconnectSignal'],
  ['dethrone', 'clearLatest'],
  ['essence', 'CANONICAL_DRAFT'],
  ['guesses', 'AnonymousRateLimiter'],
  ['happening', 'TaskEvent'],
  ['happenings', 'task events'],
  ['heirs', 'successors'],
  ['keyring', 'ApiKeyResolver'],
  ['lastknown', 'StaleWhileRevalidateCache'],
  ['lockabove', 'lockAncestors'],
  ['nearserver', 'InProcessServer'],
  ['onewaytext', 'AppendOnlyText'],
  ['owncaller', 'serviceCaller'],
  ['patient', 'neverAborted'],
  ['piecestreams', 'ChunkedReplies'],
  ['recurringpass', 'IntervalJob'],
  ['resumeabove', 'resumeAncestors'],
  ['rowworker', 'JobWorker'],
  ['spanoftime', 'DateRange'],
  ['speech', 'AnswerStream'],
  ['spoken', 'inUse, messages'],
  ['standby', 'FallbackAttempt'],
  ['taker', 'Sink'],
  ['taskintake', 'TaskSubmission'],
  ['tasknews', 'TaskNotifications'],
  ['taskover', 'TaskEndedError'],
  ['told', 'emitted'],
  ['veil', 'mask'],
  ['veiled', 'masked, offloaded'],
]);
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
