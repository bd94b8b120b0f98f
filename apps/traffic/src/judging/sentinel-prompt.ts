import { framedJson, judgeMessages, objectInReply } from '@signalbox/conditions';
import type { Message, ResponseFormat, SentinelDirective } from '@signalbox/contracts';
import type { JudgedParts } from './judged-request.js';

export interface JudgeReply {
  verdict: 'PASS' | 'FAULT' | 'NA';
  reason: string;
  confidence: number | null;
}

const DATA = 'parts of the call of an AI system, and in "response" its answer.';
const REASON_LENGTH = 2000;
const CORRECTION_LENGTH = 20_000;

const formatOf = (name: string, properties: object, required: string[]): ResponseFormat => ({
  type: 'json_schema',
  json_schema: { name, schema: { type: 'object', properties, required, additionalProperties: false } },
});

const verdictsOf = ({ qualification }: SentinelDirective): JudgeReply['verdict'][] =>
  qualification?.type === 'LLM' ? ['PASS', 'FAULT', 'NA'] : ['PASS', 'FAULT'];

/** `NA` is a verdict only where the judge decides about the qualification. */
export const verdictFormat = (directive: SentinelDirective): ResponseFormat =>
  formatOf(
    'verdict',
    {
      verdict: { type: 'string', enum: verdictsOf(directive) },
      reason: { type: 'string' },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    },
    ['verdict'],
  );

export function verdictMessages(directive: SentinelDirective, judged: JudgedParts): Message[] {
  const { instruction, examples, qualification } = directive;
  const parts = [instruction];
  if (qualification?.type === 'LLM')
    parts.push(`It is judged only when this is true of it: ${qualification.instruction}`);
  // Examples are often copied from traffic, so they are quoted as data.
  for (const { example_type, example_body } of examples)
    parts.push(`Example of ${example_type}: ${framedJson(example_body)}`);
  const unmet = qualification?.type === 'LLM' ? '"NA" when the answer is not to be judged, ' : '';
  return judgeMessages(
    {
      role: 'You judge the answer of an AI system by the instruction below.',
      data: DATA,
      reply: `Reply with a JSON object: "verdict" is ${unmet}"PASS" when the answer meets the instruction and "FAULT" when it does not; "reason" says why in one sentence; "confidence" is a number from 0 to 1.`,
      instruction: parts.join('\n\n'),
    },
    judged,
  );
}

export function verdictIn(content: unknown, directive: SentinelDirective): JudgeReply | null {
  const reply = objectInReply(content);
  const verdict = verdictsOf(directive).find((each) => each === reply?.verdict);
  if (!reply || !verdict) return null;
  const { reason, confidence } = reply;
  const isShare = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  return {
    verdict,
    reason: typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : '',
    confidence: isShare ? confidence : null,
  };
}

export const CORRECTION_FORMAT = formatOf('correction', { corrected: { type: 'string', minLength: 1 } }, ['corrected']);

export const correctionMessages = (
  { instruction, correction }: SentinelDirective,
  judged: JudgedParts,
  fault: string,
): Message[] =>
  judgeMessages(
    {
      role: 'You correct the answer of an AI system, which does not meet the instruction below.',
      data: `${DATA} In "fault" it says why the answer is faulty.`,
      reply: 'Reply with a JSON object: "corrected" is the whole corrected answer, as its user is to read it.',
      instruction: [`The answer must meet this: ${instruction}`, correction?.instruction ?? ''].join('\n\n'),
    },
    { ...judged, fault },
  );

export function correctionIn(content: unknown): string | null {
  const corrected = objectInReply(content)?.corrected;
  return typeof corrected === 'string' && corrected !== '' ? corrected.slice(0, CORRECTION_LENGTH) : null;
}
