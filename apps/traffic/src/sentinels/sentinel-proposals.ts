import { Injectable } from '@nestjs/common';
import { objectInReply } from '@signalbox/conditions';
import {
  ApiError,
  type Caller,
  type GeneratedSentinel,
  type InputOf,
  includeAll,
  type Message,
  type ResponseFormat,
  type sentinels,
} from '@signalbox/contracts';
import { JudgeCalls } from '../judging/index.js';
import { IntentGroups } from '../intent-groups/index.js';

type Input = InputOf<typeof sentinels.endpoints.generateSentinel>;

const FORMAT: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'sentinel',
    schema: {
      type: 'object',
      properties: {
        sentinel_name: { type: 'string', minLength: 1 },
        severity: { type: 'integer', minimum: 1, maximum: 4 },
        instruction: { type: 'string', minLength: 1 },
      },
      required: ['sentinel_name', 'severity', 'instruction'],
      additionalProperties: false,
    },
  },
};

const RULES = [
  'You write rules by which the answers of an AI system are judged. The user describes what to watch for.',
  'Reply with a JSON object: "sentinel_name" is a short name, "severity" is 1 (info), 2 (warning), 3 (error) or 4 (fatal),',
  '"instruction" says in full sentences when an answer is good and when it is faulty, so that a judge can decide about one answer alone.',
].join('\n');

const messagesOf = (prompt: string): Message[] => [
  { role: 'system', content: RULES },
  { role: 'user', content: prompt },
];

/** By the judge model of a company; nothing is stored. 502 when the model does not reply with a sentinel. */
@Injectable()
export class SentinelProposals {
  constructor(
    private readonly groups: IntentGroups,
    private readonly calls: JudgeCalls,
  ) {}

  async propose(
    { companyId, deadline }: Caller,
    { intent_group_id, prompt }: Input,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<GeneratedSentinel> {
    await this.groups.get(companyId, intent_group_id);
    const { reply, failure } = await this.calls.ask(
      {
        companyId,
        model: null,
        temperature: 0,
        messages: messagesOf(prompt),
        format: FORMAT,
        metadata: { intent_group_id },
        originId: null,
        read: sentinelIn,
        deadline,
      },
      signal,
    );
    if (reply) return reply;
    throw new ApiError('bad_upstream', `no sentinel was generated: ${failure?.message}`);
  }
}

export function sentinelIn(content: unknown): GeneratedSentinel | null {
  const { sentinel_name: name, severity, instruction } = objectInReply(content) ?? {};
  const isGood =
    typeof name === 'string' &&
    name.trim() !== '' &&
    Number.isInteger(severity) &&
    Number(severity) >= 1 &&
    Number(severity) <= 4 &&
    typeof instruction === 'string' &&
    instruction !== '';
  if (!isGood) return null;
  return {
    sentinel_name: [...name.trim()].slice(0, 200).join(''),
    severity: Number(severity),
    sentinel_directive: {
      instruction: instruction.slice(0, 20_000),
      examples: [],
      qualification: null,
      correction: null,
      include_options: includeAll(),
    },
  };
}
