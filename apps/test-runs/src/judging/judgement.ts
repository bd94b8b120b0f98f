import { cutForJudge, judgeMessages, objectInReply } from '@signalbox/conditions';
import type { CriteriaType, Message, ResponseFormat } from '@signalbox/contracts';
import type { Judged } from './output.js';
import { contentOf, textOf } from './output.js';

type JudgedTexts = Pick<Judged, 'input' | 'expected' | 'actual'>;

/** Verdicts of a judge, the best first, and their scores. */
const WORDS: Readonly<Record<CriteriaType, Readonly<Record<string, number>>>> = {
  BOOLEAN: { PASS: 1, FAIL: 0 },
  NUMERIC: { PERFECT: 5, GREAT: 4, GOOD: 3, FAIR: 2, POOR: 1 },
};
const MAX_TEXT = 20_000;
const MAX_REASON = 2000;

export const judgementFormat = (type: CriteriaType): ResponseFormat => ({
  type: 'json_schema',
  json_schema: {
    name: 'judgement',
    schema: {
      type: 'object',
      properties: {
        verdict: { type: 'string', enum: Object.keys(WORDS[type]) },
        reason: { type: 'string' },
      },
      required: ['verdict', 'reason'],
      additionalProperties: false,
    },
  },
});

const bounded = (text: string): string => cutForJudge(text, MAX_TEXT);

const wholeText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Names the texts that are too long to be shown whole; null without any. */
export function cutNotice({ input, expected, actual }: JudgedTexts): string | null {
  const texts = {
    input: wholeText(input),
    'expected output': expected ? textOf(expected) : '',
    output: textOf(actual),
  };
  const cut = Object.entries(texts).filter(([, text]) => text.length > MAX_TEXT);
  if (cut.length === 0) return null;
  return `Judged by the first ${MAX_TEXT} characters of the ${cut.map(([name]) => name).join(' and the ')}.`;
}

export const judgementMessages = (
  type: CriteriaType,
  prompt: string,
  { input, expected, actual }: JudgedTexts,
): Message[] =>
  judgeMessages(
    {
      role: 'You judge the output of another system by the criterion below.',
      data: 'the input of the system, its expected output if there is one, and its actual output.',
      reply: `Reply with a JSON object: "verdict" is one of ${Object.keys(WORDS[type]).join(', ')}; "reason" says why in one sentence.`,
      instruction: prompt,
    },
    {
      input: bounded(wholeText(input)),
      expected_output: expected && bounded(textOf(expected)),
      actual_output: bounded(textOf(actual)),
    },
  );

export function judgementOf(type: CriteriaType, answer: Message): { score: number; reason: string } | null {
  const { verdict, reason } = objectInReply(contentOf(answer)) ?? {};
  const words = WORDS[type];
  if (typeof verdict !== 'string' || !Object.hasOwn(words, verdict)) return null;
  return { score: words[verdict] ?? 0, reason: typeof reason === 'string' ? reason.slice(0, MAX_REASON) : '' };
}
