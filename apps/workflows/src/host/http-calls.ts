import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import {
  Egress,
  EgressDenied,
  type EgressStream,
  EgressTimeout,
  isEgressError,
  type SecretBag,
} from '@signalbox/egress';
import { retriedCall } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { FailedCall } from '../runs/index.js';
import {
  type CallDetails,
  type Admit,
  type HostContext,
  type HostMember,
  objectArgument,
  SMALL_RESULT_BYTES,
  textArgument,
  withoutSecret,
} from './host-call.js';

const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 3;
const MAX_TIMEOUT_MS = 60_000;
const DENIED = { failure_class: 'sandbox', error_code: 'egress_denied' } as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** `ctx.http.fetch`: public addresses, and private ones that the operator allows. */
@Injectable()
export class HttpCalls implements HostMember {
  constructor(
    private readonly egress: Egress,
    private readonly companies: CompanyProfiles,
  ) {}

  async call(
    { job, signal, secrets }: HostContext,
    [target, options]: readonly unknown[],
    details: CallDetails,
    admit: Admit,
  ): Promise<object> {
    const url = textArgument(target, 'the URL');
    const request = requestOf(objectArgument(options, 'the options'));
    details.method = request.method;
    // Host names are sent to a resolver and shown in traces.
    withoutSecret(writtenHostOf(url), 'the host of the URL', secrets);
    details.host = hostOf(url);
    try {
      const allowed = () => this.companies.ofCompany(job.companyId);
      const { egress_allow: allow } = await retriedCall(job.companyId, signal, allowed);
      const limits = { maxBytes: MAX_BYTES, maxRedirects: MAX_REDIRECTS };
      const sensitiveHeaders = secrets ? namesWithSecrets(request.headers, secrets) : [];
      const response = await this.egress.stream({ url, ...request, ...limits, sensitiveHeaders, signal, allow });
      details.status = response.status;
      return answerOf(response, await bodyOf(response, admit));
    } catch (error) {
      signal.throwIfAborted();
      throw scriptErrorOf(error, (text) => (secrets ? secrets.scrub(text) : text));
    }
  }
}

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);

/** As the script wrote it: parsing would lower the case of a secret. */
const writtenHostOf = (url: string): string => /^[^:]*:[/\\]*(?:[^/\\?#]*@)?([^/\\?#]*)/.exec(url)?.[1] ?? url;

function requestOf({ method = 'GET', headers, body, timeout_ms = 30_000 }: Record<string, unknown>) {
  const verb = typeof method === 'string' ? method.toUpperCase() : '';
  if (!METHODS.includes(verb))
    throw new ScriptHostError('TypeError', `the method must be one of ${METHODS.join(', ')}`);
  if (typeof timeout_ms !== 'number' || !(timeout_ms >= 1 && timeout_ms <= MAX_TIMEOUT_MS))
    throw new ScriptHostError('TypeError', `timeout_ms must be a number from 1 to ${MAX_TIMEOUT_MS}`);
  const given = Object.entries(objectArgument(headers, 'headers'));
  const sent = Object.fromEntries(given.map(([name, value]) => [name, headerText(name, value)]));
  const isJson = body !== undefined && body !== null && typeof body !== 'string';
  const typed = Object.keys(sent).some((name) => name.toLowerCase() === 'content-type');
  return {
    method: verb,
    headers: isJson && !typed ? { ...sent, 'Content-Type': 'application/json' } : sent,
    timeoutMs: timeout_ms,
    ...(body === undefined || body === null ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
  };
}

function headerText(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ScriptHostError('TypeError', `the header ${name} must be a string`);
}

const namesWithSecrets = (headers: Record<string, string>, secrets: SecretBag): string[] =>
  Object.keys(headers).filter((name) => secrets.scrub(headers[name] ?? '') !== headers[name]);

/** A larger body is admitted by its declared length, or by the maximum. */
async function bodyOf(response: EgressStream, admit: Admit): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isAdmitted = false;
  for await (const part of response.body) {
    parts.push(part);
    length += part.length;
    if (isAdmitted || length <= SMALL_RESULT_BYTES) continue;
    isAdmitted = true;
    const declared = response.header('content-encoding') ? NaN : Number(response.header('content-length'));
    await response.pauseFor(admit(declared > 0 ? Math.min(declared, MAX_BYTES) : MAX_BYTES));
  }
  return Buffer.concat(parts);
}

function answerOf({ status, headers }: EgressStream, body: Buffer) {
  const text = body.toString('utf8');
  return { status, headers, text, json: jsonOf(text) };
}

/** Null for what is not JSON, or is nested too deep for a script to get; it has the text. */
function jsonOf(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isDeeperThan(value, MAX_FOREIGN_DEPTH) ? null : value;
  } catch {
    return null;
  }
}

function scriptErrorOf(error: unknown, scrub: (text: string) => string): unknown {
  if (error instanceof EgressDenied) return new FailedCall('EgressDenied', error.message, DENIED);
  if (error instanceof EgressTimeout) return new ScriptHostError('TimeoutError', error.message);
  return isEgressError(error) ? new ScriptHostError('NetworkError', scrub(error.message)) : error;
}
