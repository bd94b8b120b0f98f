// Phrases that comments and the titles of tests do not use, and what is written instead
// (libs/contracts/README.md, «Words»).

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
const BANNED = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'i');

const insteadOf = (found) =>
  Object.entries(WORDS).find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(found))?.[1] ?? 'a plain word';

/** The identifier that a call begins with: `it` of `it.each(rows)(title)`. */
function rootOf(callee) {
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return rootOf(callee.callee ?? callee.tag);
  return callee.name;
}

/** Lint rule: one report for each comment or title with such a phrase. */
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
      CallExpression({ callee, arguments: [title] }) {
        if (typeof title?.value === 'string' && ['it', 'describe'].includes(rootOf(callee))) check(title, title.value);
      },
    };
  },
};
