// Names of earlier versions that no reader knows from elsewhere, and the terms that have replaced them.

const RETIRED = new Map([
  ['answerer', 'CompletionBackend'],
  ['bury', 'deadLetter'],
  ['callplace', 'CallScope'],
  ['coalescer', 'ReadBatcher'],
  ['commitnews', 'RelayWakeup'],
  ['consumesbatches', 'Consumer, with the option batch'],
  ['dethrone', 'clearLatest'],
  ['givesup', 'JobHandler, with the option onExhausted'],
  ['happening', 'TaskEvent'],
  ['keyring', 'ApiKeyResolver'],
  ['nearserver', 'InProcessServer'],
  ['onewaytext', 'AppendOnlyText'],
  ['piecestreams', 'ChunkedReplies'],
  ['rowworker', 'JobHandler'],
  ['silencewatch', 'InactivityTimeout'],
  ['taskintake', 'TaskSubmission'],
  ['tasknews', 'TaskNotifications'],
]);

/** Lint rule: one report for each use of a retired name. */
export const retiredNamesRule = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Identifier(node) {
      const term = RETIRED.get(node.name.toLowerCase());
      if (term) context.report({ node, message: `${node.name} is a retired name: the term is ${term}.` });
    },
  }),
};
