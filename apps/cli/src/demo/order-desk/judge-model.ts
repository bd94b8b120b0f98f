/** Base path of the judge's API at the system that the demo runs. */
export const JUDGE_PATH = '/judge/v1';

/** The model that judges, and one that its provider no longer has. */
export const JUDGE_MODEL = 'order-desk-judge';
export const RETIRED_MODEL = 'order-desk-retired';

/** The prefix of each answer of the built-in model. */
const ECHO = '[simulated]';

/** A chat completion that somebody asks for. */
export interface Call {
  model: string;
  messages: { role: string; content: string }[];
}

/** Whether the demo's system still has a model. */
export const isServed = ({ model }: Call): boolean => model !== RETIRED_MODEL;

/** The reply to a call of a model that is gone. */
export const retiredReply = ({ model }: Call): object => ({
  error: { message: `the model ${model} has been retired`, type: 'invalid_request_error', code: 'model_not_found' },
});

/**
 * The reply of a model that finds answers which only echo the question: with it the demo needs no provider. A call of
 * a judge has the judged answer in the message of the user.
 */
export function judgeReply({ model, messages }: Call): object {
  const isEcho = messages.some(({ role, content }) => role === 'user' && content.includes(ECHO));
  const verdict = isEcho
    ? { verdict: 'FAULT', reason: 'the answer only echoes the question', confidence: 1 }
    : { verdict: 'PASS', reason: 'the answer does not repeat the question', confidence: 1 };
  const message = { role: 'assistant', content: JSON.stringify(verdict) };
  return {
    id: 'demo',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}
