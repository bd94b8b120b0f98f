export interface Failure {
  failure_class: string | null;
  error_code: string | null;
  error_message: string | null;
}

const CAUSES: Record<string, string> = {
  quality: 'It worked, and the result is not as it should be',
  provider: 'A model provider or a called API failed, refused or limited the call',
  timeout: 'A time limit elapsed',
  sandbox: 'The script failed, broke a limit, or was denied an address',
  adapter: 'The input could not be adapted for what should run',
  judge: 'The judge failed; the thing judged is there',
  internal: 'The platform could not finish it',
};

const CODES: Record<string, string> = {
  budget_exceeded: 'it reached the most that it may cost',
  cancelled: 'it was cancelled',
  depth_exceeded: 'agents and workflows called each other more than ten deep',
  egress_denied: 'the address is not allowed; the operator can allow it',
  interrupted: 'its worker was lost too often',
  max_iterations: 'it had no answer after the most steps that it may take',
  output_schema: 'the answer does not fit the schema, also after two more tries',
  provider_error: 'the provider answered with an error',
  script_error: 'the script threw an error',
  secrets_unavailable: 'the process that held its secrets is gone; invoke it again',
  webhook_ttl: 'nobody called back in time',
};

/** Whose failure it is, what happened, and what came back. */
export function whyOf({ failure_class, error_code, error_message }: Failure): string {
  const cause = CAUSES[failure_class ?? ''] ?? 'It failed';
  const code = error_code === null ? '' : (CODES[error_code] ?? error_code.replaceAll('_', ' '));
  const sentence = code === '' ? `${cause}.` : `${cause}: ${code}.`;
  return error_message ? `${sentence} «${error_message}»` : sentence;
}
