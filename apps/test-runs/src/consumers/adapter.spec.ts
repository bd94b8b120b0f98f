import type { Message } from '@signalbox/contracts';
import { adapt, type CanonicalInput } from './adapter.js';

const system: Message = { role: 'system', content: 'You are old.' };
const user: Message = { role: 'user', content: 'hello' };
const answer: Message = { role: 'assistant', content: 'hi' };
const second: Message = { role: 'user', content: 'and?' };
const image: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'see' },
    { type: 'image_url', image_url: { url: 'https://e.com/i.png' } },
  ],
};
const talk: CanonicalInput = { messages: [system, user, answer, second] };
const FIRST = { flatten_variant: 'agent_first_user_message' };
const WITH_SYSTEM = { flatten_variant: 'agent_first_user_message_with_system_prompt' };

describe('the adapted input', () => {
  it.each<[string, Parameters<typeof adapt>, unknown]>([
    ['of a model is all messages', ['MODEL', talk, {}], { messages: [system, user, answer, second] }],
    [
      'of a model has the system prompt of the run in place of the recorded one',
      ['MODEL', { messages: [system, { role: 'developer', content: 'x' }, user] }, { system_prompt: 'You are new.' }],
      { messages: [{ role: 'system', content: 'You are new.' }, user] },
    ],
    ['of a model is one message with a text', ['MODEL', { input: 'hello' }, {}], { messages: [user] }],
    [
      'of a model is one message with the JSON of an input',
      ['MODEL', { input: { a: 1 } }, {}],
      { messages: [{ role: 'user', content: '{"a":1}' }] },
    ],
    ['of a model prefers messages to the input', ['MODEL', { messages: [user], input: 'x' }, {}], { messages: [user] }],
    [
      'of a workflow is input and messages',
      ['WORKFLOW', { messages: [user], input: { a: 1 } }, { input_mapping: {} }],
      { input: { a: 1 }, messages: [user] },
    ],
    [
      'of a workflow is built by its mapping',
      [
        'WORKFLOW',
        { input: { order: { rows: [{ id: 7 }] }, note: null } },
        { input_mapping: { id: 'order.rows[0].id', n: 'note' } },
      ],
      { input: { id: 7, n: null } },
    ],
    ['of an agent is the first message of a user', ['AGENT', talk, FIRST], { message: 'hello' }],
    [
      'of an agent has the system prompt in the other variant',
      ['AGENT', talk, WITH_SYSTEM],
      { messages: [system, user] },
    ],
    [
      'of an agent has no system prompt where there is none',
      ['AGENT', { messages: [user] }, WITH_SYSTEM],
      { messages: [user] },
    ],
    [
      'of an agent is the text of the input without messages',
      ['AGENT', { input: { a: 1 } }, FIRST],
      { message: '{"a":1}' },
    ],
    [
      'of an agent is the text of the input without a user',
      ['AGENT', { messages: [system], input: 'x' }, WITH_SYSTEM],
      { messages: [system, { role: 'user', content: 'x' }] },
    ],
    [
      'of an agent keeps images in the other variant',
      ['AGENT', { messages: [image] }, WITH_SYSTEM],
      { messages: [image] },
    ],
  ])('%s', (_name, [kind, item, config], expected) => {
    expect(adapt(kind, item, config)).toEqual({ adapted_input: expected, warnings: [], errors: [] });
  });

  it('warns of what a variant leaves out', () => {
    expect(adapt('AGENT', { messages: [image] }, FIRST)).toMatchObject({
      adapted_input: { message: 'see' },
      warnings: [expect.stringContaining('dropped')],
    });
  });

  it.each<[string, Parameters<typeof adapt>, string]>([
    ['nothing for a model', ['MODEL', {}, {}], 'input'],
    ['nothing for a workflow', ['WORKFLOW', { messages: [] }, { input_mapping: {} }], 'input'],
    ['nothing for an agent', ['AGENT', { messages: null }, FIRST], 'input'],
    ['no user for an agent', ['AGENT', { messages: [system] }, FIRST], 'input.messages'],
    ['a path that leads nowhere', ['WORKFLOW', { input: {} }, { input_mapping: { a: 'toString' } }], 'input_mapping.a'],
    ['a mapping without input', ['WORKFLOW', { messages: [user] }, { input_mapping: { a: 'b' } }], 'input_mapping.a'],
    [
      'a thousand messages and a prompt',
      ['MODEL', { messages: Array<Message>(1000).fill(user) }, { system_prompt: 'p' }],
      'input.messages',
    ],
  ])('cannot be made of %s', (_name, [kind, item, config], field) => {
    expect(adapt(kind, item, config)).toMatchObject({ errors: [{ field }] });
    expect(adapt(kind, item, config)).not.toHaveProperty('adapted_input');
  });
});
