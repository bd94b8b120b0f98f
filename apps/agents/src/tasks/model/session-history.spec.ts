import type { Message } from '@signalbox/contracts';
import { historyBefore, historyOf } from './session-history.js';

const user = (content: string): Message => ({ role: 'user', content });
const answer = (content: string): Message => ({ role: 'assistant', content });
const asked = (...input_messages: Message[]) => ({ input_messages, output: answer(`a${input_messages.length}`) });

describe('the history of a session', () => {
  it('has questions and answers, newest last, at most 40', () => {
    const tool: Message = { role: 'tool', tool_call_id: 'x', content: 't' };
    const task = { input_messages: [{ role: 'system' as const, content: 's' }, user('Q'), tool], output: answer('A') };
    expect(historyOf([task])).toEqual([user('Q'), answer('A')]);
    const many = Array.from({ length: 30 }, (_, n) => ({ input_messages: [user(`q${n}`)], output: answer('A') }));
    expect(historyOf(many)).toHaveLength(40);
    expect(historyOf(many)[0]).toEqual(user('q10'));
  });

  it('is at most 4 MiB, without an answer whose question is left out', () => {
    const large = ['1', '2', '3'].map((n) => asked(user(n.repeat(1_500_000))));
    expect(historyOf(large).map(({ content }) => String(content).slice(0, 2))).toEqual(['22', 'a1', '33', 'a1']);
  });

  it('has each message once when its callers repeat the conversation', () => {
    const [one, two] = [asked(user('q1')), asked(user('q1'), answer('a1'), user('q2'))];
    const conversation = [user('q1'), answer('a1'), user('q2'), answer('a3')];
    expect(historyOf([one, two])).toEqual(conversation);
    // A caller that does not know of an invocation in between.
    const between = asked(user('invoked'));
    const three = asked(...conversation, user('q3'));
    expect(historyOf([one, two, between, three])).toEqual([
      ...conversation,
      user('invoked'),
      answer('a1'),
      user('q3'),
      answer('a5'),
    ]);
  });

  it('keeps a question that is asked again', () => {
    const again = [user('more'), answer('a1'), user('more'), answer('a1')];
    expect(historyOf([asked(user('more')), asked(user('more'))])).toEqual(again);
    expect(historyOf([asked(user('more')), { ...asked(...again.slice(0, 3)), output: answer('a1') }])).toEqual(again);
  });

  it('is left out of a task whose input repeats it', () => {
    const history = [user('q1'), answer('a1'), user('q2'), answer('a2')];
    expect(historyBefore([user('q3')], history)).toEqual(history);
    const parts: Message = { role: 'user', content: [{ type: 'text', text: 'q1' }] };
    expect(historyBefore([parts, answer('a1'), user('q3')], history)).toEqual(history.slice(2));
    expect(historyBefore([...history, user('q3')], history)).toEqual([]);
  });
});
