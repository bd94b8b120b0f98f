import type { RequestRecord } from '../request-records/index.js';

/** The leading fields of a line, in this order. New fields are appended, because lines outlive a release. */
const HEAD = [
  'company_id',
  'request_id',
  'application_id',
  'intent_id',
  'intent_group_id',
  'agent_id',
  'session_id',
  'in_session',
  'reference_id',
  'request_type',
  'inference_location',
  'model',
  'provider',
  'status',
  'failure_class',
  'error_message',
  'fallback_used',
  'fallback_reason',
  'primary_model',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost',
  'first_token_time_ms',
  'response_time_ms',
  'date_created',
  'origin',
  'origin_id',
  'rerun_of',
  'task_id',
  'run_id',
  'answered_usage',
  'evaluation',
  'fallback_strategy',
  'workflow_id',
  'release',
  'new_messages',
] as const satisfies (keyof RequestRecord)[];

type ValuesOf<Names extends readonly (keyof RequestRecord)[]> = { [At in keyof Names]: RequestRecord[Names[At]] };

/** Separator of texts: JSON without white space contains no tab. */
const SEPARATOR = '\t,';
const END = ']';
const COMPANY = /^(?:\[|\{"company_id":)(\d+),/;

/**
 * A line is a JSON array of the fields, followed by the JSON texts of messages and answers. As strings within JSON they
 * would be escaped and unescaped, each a pass over every character.
 */
export function lineOf(record: RequestRecord): string {
  const head = JSON.stringify(HEAD.map((name) => record[name]));
  const { params, response, metadata } = record;
  return `${head.slice(0, -END.length)}${SEPARATOR}${params}${SEPARATOR}${response ?? 'null'}${SEPARATOR}${metadata}${END}`;
}

export function recordOfLine(line: string): RequestRecord {
  // In earlier releases a line was an object that held JSON texts.
  if (line.startsWith('{')) return JSON.parse(line) as RequestRecord;
  const [head, params, answer, last, ...others] = line.split(SEPARATOR);
  if (params === undefined || answer === undefined || !last?.endsWith(END) || others.length > 0)
    throw new Error('a line of the spool has an unknown form');
  const response = answer === 'null' ? null : answer;
  return recordWith(JSON.parse(`${head}${END}`) as ValuesOf<typeof HEAD>, {
    params,
    response,
    metadata: last.slice(0, -END.length),
  });
}

/** Reads the company without decoding the rest of the line; 0 for a line without one. */
export const companyOfLine = (line: string): number => Number(COMPANY.exec(line)?.[1] ?? 0);

/** Written out, because an object that is built key by key takes several times the memory. */
function recordWith(
  head: ValuesOf<typeof HEAD>,
  texts: Pick<RequestRecord, 'params' | 'response' | 'metadata'>,
): RequestRecord {
  const [
    company_id,
    request_id,
    application_id,
    intent_id,
    intent_group_id,
    agent_id,
    session_id,
    in_session,
    reference_id,
    request_type,
    inference_location,
    model,
    provider,
    status,
    failure_class,
    error_message,
    fallback_used,
    fallback_reason,
    primary_model,
    prompt_tokens,
    completion_tokens,
    total_tokens,
    cost,
    first_token_time_ms,
    response_time_ms,
    date_created,
    origin,
    origin_id,
    rerun_of,
    task_id,
    run_id,
    answered_usage,
    evaluation,
    fallback_strategy,
    workflow_id,
    release,
    new_messages,
  ] = head;
  return {
    company_id,
    request_id,
    application_id,
    intent_id,
    intent_group_id,
    agent_id,
    session_id,
    in_session,
    reference_id,
    request_type,
    inference_location,
    model,
    provider,
    status,
    failure_class,
    error_message,
    fallback_used,
    fallback_reason,
    primary_model,
    prompt_tokens,
    completion_tokens,
    total_tokens,
    cost,
    first_token_time_ms,
    response_time_ms,
    date_created,
    origin,
    origin_id,
    rerun_of,
    task_id,
    run_id,
    answered_usage,
    evaluation,
    fallback_strategy,
    workflow_id,
    release,
    new_messages,
    ...texts,
  };
}
