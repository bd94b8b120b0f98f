import { contentText, cutForJudge, judgeMessages, objectInReply } from '@signalbox/conditions';
import type { ChatResult, FailureClass, Message, RecordedRequest, ResponseFormat } from '@signalbox/contracts';

export interface Judgement {
  matched: boolean;
  failure_class: FailureClass | null;
  problem: string | null;
}

export const verdict = (matched: boolean): Judgement => ({ matched, failure_class: null, problem: null });

export const failed = (failure_class: FailureClass, problem: string): Judgement => ({
  matched: false,
  failure_class,
  problem,
});

export type JudgedRequest = Pick<RecordedRequest, 'params' | 'response' | 'corrected_response'>;

/** Characters of the request that a model judges. */
const MAX_TEXT = 20_000;

export const TAG_JUDGEMENT: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'tag_judgement',
    schema: {
      type: 'object',
      properties: { answer: { type: 'string', enum: ['yes', 'no'] } },
      required: ['answer'],
      additionalProperties: false,
    },
  },
};

interface Answer {
  choices?: { message?: Partial<Message> }[];
}

const messagesOf = ({ params, response, corrected_response }: JudgedRequest): Partial<Message>[] => {
  const sent = Array.isArray(params?.messages) ? (params.messages as Partial<Message>[]) : [];
  const answer = (corrected_response ?? response ?? {}) as Answer;
  const answered = Array.isArray(answer.choices) ? answer.choices.flatMap(({ message }) => message ?? []) : [];
  return [...sent, ...answered];
};

export const textOfRequest = (request: JudgedRequest): string =>
  messagesOf(request)
    .map(({ content }) => contentText(content))
    .filter((text) => text !== '')
    .join('\n');

export const tagJudgementMessages = (prompt: string, request: JudgedRequest): Message[] =>
  judgeMessages(
    { ...JUDGE, instruction: `It gets the tag when this is true of it: ${prompt}` },
    {
      conversation: bounded(messagesOf(request).map(({ role, content }) => ({ role, text: contentText(content) }))),
    },
  );

const JUDGE = {
  role: 'You decide whether a recorded conversation gets a tag.',
  data: 'the conversation with its answer.',
  reply: 'Reply with a JSON object: "answer" is "yes" or "no".',
};

function bounded<M extends { text: string }>(messages: readonly M[]): M[] {
  let left = MAX_TEXT;
  const kept: M[] = [];
  for (const message of messages) {
    if (left <= 0) break;
    kept.push({ ...message, text: cutForJudge(message.text, left) });
    left -= message.text.length;
  }
  return kept;
}

export function answerOf({ message }: Pick<ChatResult, 'message'>): boolean | null {
  const { answer } = objectInReply(contentText(message.content)) ?? {};
  return answer === 'yes' ? true : answer === 'no' ? false : null;
}
