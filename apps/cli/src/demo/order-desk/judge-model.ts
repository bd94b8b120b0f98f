export const JUDGE_PATH = '/judge/v1';

export const JUDGE_MODEL = 'order-desk-judge';
export const RETIRED_MODEL = 'order-desk-retired';

const ECHO = '[simulated]';

export interface Call {
  model: string;
  messages: { role: string; content: string }[];
}

export const isServed = ({ model }: Call): boolean => model !== RETIRED_MODEL;

export const retiredReply = ({ model }: Call): object => ({
  error: { message: `the model ${model} has been retired`, type: 'invalid_request_error', code: 'model_not_found' },
});

/**
 * Detects answers that only echo the question, so that the demo needs no provider. The call of a judge has the judged
 * answer in the user's message.
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
