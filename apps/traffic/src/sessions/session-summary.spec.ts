import type { SessionEvent } from '@signalbox/contracts';
import { summaryCall, summaryOf } from './session-summary.js';

const message = (role: string, content: unknown): SessionEvent => ({
  type: 'message',
  timestamp: 1,
  role,
  content,
});

describe('the summary of a session', () => {
  it('is generated from the messages only', () => {
    const call = summaryCall([
      message('system', 'secret rules'),
      message('user', 'hello'),
      { type: 'tool_call', timestamp: 1, tool_call: {} },
      message('assistant', [{ type: 'text', text: 'hi' }, { type: 'image_url' }]),
    ]);
    expect(call?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(call?.[1]?.content).toBe('user: hello\nassistant: hi [image]');
  });

  it('is generated from the end of long conversations', () => {
    const [, asked] = summaryCall([message('user', 'x'.repeat(30_000)), message('user', 'the end')]) ?? [];
    expect(String(asked?.content)).toHaveLength(24_000);
    expect(String(asked?.content)).toMatch(/the end$/);
  });

  it('is not generated without messages', () => {
    expect(summaryCall([{ type: 'feedback', timestamp: 1 }])).toBeNull();
  });

  it.each([
    ['  short ', 'short'],
    ['', null],
    [null, null],
    ['é'.repeat(20_001), 'é'.repeat(20_000)],
  ])('is the text of the answer', (content, summary) => {
    expect(summaryOf({ content })).toBe(summary);
  });
});
