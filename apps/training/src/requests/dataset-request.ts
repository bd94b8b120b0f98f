import {
  ApiError,
  conflict,
  type DatasetSource,
  invalidField,
  notFound,
  parse,
  recordedAnswer,
  recordedMessages,
  TRAINING_ROW_BYTES,
  TrainingFileRow,
  type TrainingMessage,
  type TrainingResponse,
  TrainingResponse as ResponseShape,
  type TrainingSource,
} from '@signalbox/contracts';

export interface TrainingBodies {
  messages: TrainingMessage[];
  response: TrainingResponse;
  tools: unknown[] | null;
}

export interface NewRow extends TrainingBodies {
  source: DatasetSource;
  request_id?: string;
  is_corrected?: boolean;
  meta?: Record<string, unknown>;
}

export interface RowChange {
  messages?: TrainingMessage[];
  response?: TrainingResponse;
  meta?: Record<string, unknown>;
}

/** Bytes of JSON; throws 400 for a row over its limit. */
export function bodyBytes({ messages, response, tools }: TrainingBodies): number {
  const bytes = Buffer.byteLength(JSON.stringify([messages, response, tools]));
  if (bytes > TRAINING_ROW_BYTES) throw invalidField('messages', `must be at most ${TRAINING_ROW_BYTES} bytes of JSON`);
  return bytes;
}

/** Throws 404 for a row of another dataset. */
export function requireInDataset(row: { dataset_id: number }, datasetId: number): void {
  if (row.dataset_id !== datasetId) throw notFound('dataset request');
}

function textOf(content: unknown): string | null {
  if (content === null || content === undefined || typeof content === 'string') return content ?? null;
  return (content as { text?: string }[]).map(({ text }) => text ?? '').join('');
}

export function responseOf(message: Record<string, unknown>): TrainingResponse {
  const { content, tool_calls } = message;
  return parse(ResponseShape, {
    role: 'assistant',
    content: textOf(content),
    ...(Array.isArray(tool_calls) && tool_calls.length > 0 ? { tool_calls: tool_calls as unknown[] } : {}),
  });
}

/** The last message is the response. Throws 400. */
export function rowOfFile(value: unknown): NewRow {
  const { messages, tools = null } = parse(TrainingFileRow, value);
  const answer = messages.at(-1);
  if (answer?.role !== 'assistant') throw invalidField('messages', 'must end with an assistant message');
  if (tools !== null && !Array.isArray(tools)) throw invalidField('tools', 'must be a list');
  const row = { messages: messages.slice(0, -1), response: responseOf({ ...answer }), tools };
  bodyBytes(row);
  return { ...row, source: 'UPLOAD' };
}

/** Throws 409 for a recorded request without a response, or one that cannot be a row. */
export function rowOfRequest(source: TrainingSource, useCorrection: boolean): NewRow {
  const { request_id, params, oversize_bytes } = source;
  if (oversize_bytes !== null)
    throw conflict(`request ${request_id} cannot become a training row: it has ${oversize_bytes} bytes of JSON`);
  const answer = recordedAnswer(source, useCorrection);
  if (answer === undefined) throw conflict(`request ${request_id} has no response`);
  const { tools } = params;
  try {
    const row = rowOfFile({
      messages: [...recordedMessages(params.messages), { ...answer.message, role: 'assistant' }],
      ...(Array.isArray(tools) && tools.length > 0 ? { tools: tools as unknown[] } : {}),
    });
    return { ...row, source: 'REQUEST', request_id, is_corrected: answer.isCorrected };
  } catch (error) {
    throw error instanceof ApiError
      ? conflict(`request ${request_id} cannot become a training row: ${error.message}`)
      : error;
  }
}

/** JSON as it is stored. */
export interface RowTexts {
  messages: string;
  response: string;
  tools: string | null;
}

/** A line in the format of OpenAI's fine-tuning. */
export function trainingLine({ messages, response, tools }: RowTexts): string {
  const before = messages.trimEnd().slice(0, -1);
  return `{"messages":${before},${response}]${tools === null ? '' : `,"tools":${tools}`}}\n`;
}
