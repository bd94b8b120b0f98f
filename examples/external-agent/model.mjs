// Plays the model, so that the example needs neither a key nor the internet: it uses the tool that it is given, and guesses
// when it is given none.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

function messageOf({ messages, tools = [] }) {
  const question = messages.findLast(({ role }) => role === 'user').content;
  const [order = '0'] = /\d+/.exec(JSON.stringify(question)) ?? [];
  const found = messages.findLast(({ role }) => role === 'tool');
  if (found) {
    const [state] = /delivered|on its way/.exec(JSON.stringify(found.content)) ?? ['unknown'];
    return { role: 'assistant', content: `Order ${order} is ${state}.` };
  }
  if (tools.length === 0) return { role: 'assistant', content: `Order ${order} should arrive soon.` };
  const call = { name: tools[0].function.name, arguments: JSON.stringify({ order }) };
  return { role: 'assistant', content: null, tool_calls: [{ id: `call_${order}`, type: 'function', function: call }] };
}

/** Starts it; resolves to its address and to what stops it. */
export async function startModel() {
  const server = createServer(async (request, response) => {
    const message = messageOf(await json(request));
    const finish_reason = message.content === null ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 };
    const body = { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'clerk-model', usage };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason }] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop };
}
