import { cutForJudge, judgeMessages as framedMessages, objectInReply } from '@signalbox/conditions';
import type { Message, ResponseFormat, RoutingCondition } from '@signalbox/contracts';
import { textOf } from './condition.js';

const DEFAULT_THRESHOLD = 0.5;
const MAX_TEXT = 20_000;

export const JUDGEMENT: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'judgement',
    schema: {
      type: 'object',
      properties: {
        answer: { type: 'string', enum: ['yes', 'no'] },
        confidence: { type: 'number', minimum: 0, maximum: 1 },
      },
      required: ['answer', 'confidence'],
      additionalProperties: false,
    },
  },
};

const question = ({ operator, value }: RoutingCondition): string =>
  operator === 'sem_match'
    ? `Does the text mean the same as, or ask for, the following? ${JSON.stringify(value)}`
    : `Does the text belong to the following class? ${JSON.stringify(value)}`;

export const judgeMessages = (condition: RoutingCondition, text: string): Message[] =>
  framedMessages({ ...JUDGE, instruction: question(condition) }, { text: cutForJudge(text, MAX_TEXT) });

const JUDGE = {
  role: 'You judge a text.',
  data: 'the text.',
  reply: 'Reply with a JSON object: "answer" is "yes" or "no", "confidence" a number from 0 to 1.',
};

export function judgementOf(answer: Pick<Message, 'content'>): { yes: boolean; confidence: number } | null {
  const { answer: word, confidence } = objectInReply(textOf(answer)) ?? {};
  if (word !== 'yes' && word !== 'no') return null;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1
    ? { yes: word === 'yes', confidence }
    : null;
}

export function judgedVerdict(condition: RoutingCondition, answer: Pick<Message, 'content'>): boolean {
  const judgement = judgementOf(answer);
  if (!judgement) return false;
  const belongs = judgement.yes && judgement.confidence >= (condition.threshold ?? DEFAULT_THRESHOLD);
  return condition.operator === 'not_classify' ? !belongs : belongs;
}
