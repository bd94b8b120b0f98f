import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where calls go and as whom. */
export interface Credentials {
  url: string;
  key: string;
}

type Environment = Record<string, string | undefined>;

const LOCAL_URL = 'http://127.0.0.1:3000/api/v1';
const OWNER_ONLY = 0o600;

/** The file of `login`, below the XDG configuration directory. */
export const credentialsFile = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'signalbox', 'credentials.json');

function readStored(environment: Environment): Partial<Credentials> {
  try {
    return JSON.parse(readFileSync(credentialsFile(environment), 'utf8')) as Partial<Credentials>;
  } catch {
    return {};
  }
}

/** The key of the first company of a platform that runs here, as `npm start` has written it. */
function localKey(environment: Environment): string | undefined {
  try {
    return readFileSync(join(environment.DATA_DIR || '.data', 'admin-key'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The address of the platform, with the prefix of the API. */
export function apiUrl(text: string): string {
  const url = text.replace(/\/+$/, '');
  return url.endsWith('/api/v1') ? url : `${url}/api/v1`;
}

const isLocal = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

/**
 * From the environment, else from `login`, else those of the platform that runs in this directory. A stored key is sent
 * only to the address that it was stored for.
 */
export function findCredentials(environment: Environment): Partial<Credentials> {
  const stored = readStored(environment);
  const port = environment.PORT === undefined ? undefined : `http://127.0.0.1:${environment.PORT}`;
  const url = apiUrl(environment.SIGNALBOX_URL || stored.url || port || LOCAL_URL);
  const ofStored = stored.url === url ? stored.key : undefined;
  const key = environment.SIGNALBOX_API_KEY || ofStored || (isLocal(url) ? localKey(environment) : undefined);
  return { url, ...(key === undefined ? {} : { key }) };
}

/** Stores credentials so that only their owner can read them. */
export function storeCredentials(environment: Environment, credentials: Credentials): string {
  const file = credentialsFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // A file that exists keeps its mode when it is written.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: OWNER_ONLY });
  return file;
}

/** Deletes stored credentials. */
export const forgetCredentials = (environment: Environment): void =>
  rmSync(credentialsFile(environment), { force: true });
