import { SignalboxError } from './errors.js';
import type { ClientOptions } from './options.js';

const LOCAL_URL = 'http://127.0.0.1:3000';
const API_PATH = '/api/v1';

/** None in a browser. */
const variables = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};

/** Of the options, else of the environment, which may lack the path, else the local one. */
export function baseUrlOf({ baseUrl }: ClientOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const url = (variables().SIGNALBOX_URL || LOCAL_URL).replace(/\/+$/, '');
  return url.endsWith(API_PATH) ? url : url + API_PATH;
}

/** Of the options, else of the environment; throws a SignalboxError when there is none. */
export function apiKeyOf({ apiKey }: ClientOptions): string {
  const key = apiKey ?? variables().SIGNALBOX_API_KEY;
  if (key === undefined) throw new SignalboxError('no API key: pass apiKey or set SIGNALBOX_API_KEY');
  return key;
}
