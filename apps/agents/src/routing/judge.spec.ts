import type { RoutingCondition } from '@signalbox/contracts';
import { framedData, JUDGED_TEXTS } from '@signalbox/conditions';
import { judgedVerdict, judgeMessages } from './judge.js';

const condition = (change: Partial<RoutingCondition> = {}): RoutingCondition => ({
  target_type: 'message',
  operator: 'classify',
  value: 'complaint',
  enabled: true,
  ...change,
});
const says = (answer: string, confidence: unknown) => ({ content: JSON.stringify({ answer, confidence }) });

describe('a judged condition', () => {
  it.each([
    ['classify', says('yes', 0.5), true],
    ['classify', says('yes', 0.49), false],
    ['classify', says('no', 1), false],
    ['not_classify', says('yes', 0.5), false],
    ['not_classify', says('yes', 0.4), true],
    ['not_classify', says('no', 0.1), true],
    ['sem_match', says('yes', 0.9), true],
    ['sem_match', { content: 'Sure: {"answer":"yes","confidence":0.9}' }, true],
    ['not_classify', { content: 'I cannot tell' }, false],
    ['not_classify', { content: '{"answer":"maybe","confidence":1}' }, false],
    ['classify', says('yes', 7), false],
    ['classify', { content: null }, false],
  ] as const)('%s with the judgement %j is %s', (operator, answer, verdict) => {
    expect(judgedVerdict(condition({ operator }), answer)).toBe(verdict);
  });

  it('uses the threshold of the condition', () => {
    expect(judgedVerdict(condition({ threshold: 0.8 }), says('yes', 0.7))).toBe(false);
    expect(judgedVerdict(condition({ threshold: 0 }), says('yes', 0))).toBe(true);
  });

  it.each(JUDGED_TEXTS.map((text) => [text]))('keeps the judged text inside its frame: %j', (text) => {
    const messages = judgeMessages(condition(), text);
    expect(framedData(messages, judgeMessages(condition(), 'anything else'))).toEqual({ text });
    expect(messages[0]?.content).toContain('"complaint"');
  });
});
