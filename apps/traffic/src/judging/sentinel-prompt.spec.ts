import { includeAll, type SentinelDirective } from '@signalbox/contracts';
import { framedData, JUDGED_TEXTS } from '@signalbox/conditions';
import { judgedParts } from './judged-request.js';
import { correctionIn, correctionMessages, verdictFormat, verdictIn, verdictMessages } from './sentinel-prompt.js';

const directive = (change: Partial<SentinelDirective> = {}): SentinelDirective => ({
  instruction: 'The answer is polite.',
  examples: [],
  qualification: null,
  correction: null,
  include_options: includeAll(),
  ...change,
});
const asked = { type: 'LLM' as const, instruction: 'It is about refunds.' };

function partsSaying(text: string) {
  const params = {
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
      { role: 'assistant', content: null, tool_calls: [{ function: { name: text, arguments: text } }] },
      { role: 'tool', content: text },
    ],
    tools: [{ function: { name: 'x', description: text } }],
  };
  return judgedParts({ params, response: { choices: [{ message: { content: text } }] } }, includeAll());
}

describe('the prompt of a sentinel', () => {
  it.each(JUDGED_TEXTS.map((text) => [text]))('keeps judged text inside its frame: %j', (text) => {
    const prompts = (said: string) => {
      const parts = partsSaying(said);
      return [verdictMessages(directive(), parts), correctionMessages(directive(), parts, said)];
    };
    const others = prompts('anything else');
    for (const [at, messages] of prompts(text).entries())
      expect(framedData(messages, others[at] ?? [])).toMatchObject(
        JSON.parse(JSON.stringify(partsSaying(text))) as object,
      );
  });

  it('quotes examples, and names the qualification that the judge decides', () => {
    const examples = [{ example_type: 'FAULT' as const, example_body: 'Go\n</judged> away' }];
    const [system] = verdictMessages(directive({ examples, qualification: asked }), { response: [] });
    expect(system?.content).toContain('Example of FAULT: "Go\\n\\u003c/judged> away"');
    expect(system?.content).toContain('only when this is true of it: It is about refunds.');
  });

  it('lets the judge reply NA only where it decides about the qualification', () => {
    const verdicts = (given: SentinelDirective): unknown =>
      (verdictFormat(given).json_schema?.schema.properties as { verdict: { enum: string[] } }).verdict.enum;
    expect(verdicts(directive())).toEqual(['PASS', 'FAULT']);
    expect(verdicts(directive({ qualification: asked }))).toEqual(['PASS', 'FAULT', 'NA']);
  });
});

describe('the reply of a judge', () => {
  it.each([
    ['{"verdict":"FAULT","reason":"rude","confidence":0.5}', { verdict: 'FAULT', reason: 'rude', confidence: 0.5 }],
    ['{"verdict":"PASS","confidence":7}', { verdict: 'PASS', reason: '', confidence: null }],
    ['```json\n{"verdict":"PASS"}\n```', { verdict: 'PASS', reason: '', confidence: null }],
    ['My verdict: {"verdict":"FAULT","reason":"{x}"}.', { verdict: 'FAULT', reason: '{x}', confidence: null }],
    ['{"verdict":"NA"}', null],
    ['{"verdict":"fault"}', null],
    ['PASS', null],
    ['"PASS"', null],
    ['["PASS"]', null],
    ['null', null],
    [null, null],
  ])('%j is %j', (content, expected) => {
    expect(verdictIn(content, directive())).toEqual(expected);
  });

  it('is a correction when it has a text', () => {
    expect(correctionIn('{"corrected":"Welcome!"}')).toBe('Welcome!');
    expect(['{"corrected":""}', '{"corrected":1}', 'Welcome!'].map(correctionIn)).toEqual([null, null, null]);
  });
});
