import { fittingMessages, tokensIn } from './context-window.js';

const message = (role: 'system' | 'user' | 'assistant', letter: string) => ({ role, content: letter.repeat(350) });
const messages = [
  message('system', 's'),
  message('user', 'a'),
  message('assistant', 'b'),
  message('user', 'c'),
  message('assistant', 'd'),
  message('user', 'e'),
];
const left = (window: number | null, more = {}, history = { from: 1, count: 4 }) =>
  fittingMessages({ messages, ...more }, history, window)
    .map(({ content }) => String(content)[0])
    .join('');

describe('the messages of a call', () => {
  it.each([
    [null, 'sabcde'],
    [1000, 'sabcde'],
    [600, 'scde'],
    [400, 'se'],
    [50, 'se'],
  ])('fit into a context of %p tokens', (window, expected) => expect(left(window)).toBe(expected));

  it('leave room for the answer and the tools', () => {
    expect(left(1000, { max_tokens: 400 })).toBe('scde');
    expect(left(1000, { tools: [{ function: { name: 'f'.repeat(1400) } }] })).toBe('scde');
  });

  it('keep the history of a question with a large image', () => {
    const photo = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } };
    const question = { role: 'user' as const, content: [{ type: 'text', text: 'what is this?' }, photo] };
    const call = { messages: [...messages.slice(0, 5), question] };
    const history = { from: 1, count: 4 };
    expect(fittingMessages(call, history, 128_000)).toHaveLength(6);
    expect(fittingMessages(call, history, 2000)).toEqual([messages[0], messages[3], messages[4], question]);
  });

  it('are counted by characters, and by each outside of ASCII', () => {
    expect([tokensIn('a'.repeat(35)), tokensIn('日本')]).toEqual([10, 2]);
  });
});
