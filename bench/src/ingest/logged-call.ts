const SYSTEM =
  'You are the assistant of a shop for garden tools. Answer in two or three sentences, in the language of the question, and say so when you do not know. ';
const TEXT =
  'I bought a hedge trimmer from you last spring and it has started to make a rattling noise when it warms up. What should I check before I send it in? ';
const REPLY_TEXT = 'An answer of a usual length, as a model gives it to a user who asks how to reset a password. ';

/** A call that its client made elsewhere. */
export const PARAMS = {
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: TEXT },
  ],
  temperature: 0.2,
};

/** The reply of the model. */
export const RESPONSE = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: REPLY_TEXT.repeat(3) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 120, completion_tokens: 96, total_tokens: 216 },
};

/** Rows of a batch over HTTP. */
export const BATCH = 100;

/** A batch of such calls; each `{uuid}` stands for a new id. */
export const BODY = JSON.stringify({
  items: Array.from({ length: BATCH }, () => ({
    chat_completion_request: { ...PARAMS, model: 'bench-model', request_id: '{uuid}', metadata: { team: 'a' } },
    chat_completion_response: RESPONSE,
    timing: { response_time_ms: 812 },
  })),
});
