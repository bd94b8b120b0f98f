import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './usage-error.js';

export interface Credentials {
  url: string;
  key: string;
  /** When it is not at the address of the platform. */
  portal?: string;
}

export interface Profiles {
  current?: string;
  profiles: Record<string, Credentials>;
}

type Environment = Record<string, string | undefined>;

const LOCAL_URL = 'http://127.0.0.1:3000/api/v1';
const OWNER_ONLY = 0o600;
const DEFAULT_PROFILE = 'default';
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

export const credentialsFile = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'signalbox', 'credentials.json');

/** Undefined without a file. One that cannot be read is an error: a write in its place would lose the keys in it. */
function readStored(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A file with a single key is from before profiles had names. */
export function readProfiles(environment: Environment): Profiles {
  const { current, profiles, url, key } = Object(readStored(credentialsFile(environment))) as Partial<
    Profiles & Credentials
  >;
  if (profiles) return { ...(current === undefined ? {} : { current }), profiles };
  if (url === undefined || key === undefined) return { profiles: {} };
  return { current: DEFAULT_PROFILE, profiles: { [DEFAULT_PROFILE]: { url, key } } };
}

export function profileName(environment: Environment): string {
  const name = environment.SIGNALBOX_PROFILE || readProfiles(environment).current || DEFAULT_PROFILE;
  return checkedName(name);
}

export function checkedName(name: string): string {
  if (!NAME.test(name)) throw new UsageError(`"${name}" is no name of a profile: letters, digits, - _ and . are`);
  return name;
}

function storedProfile(environment: Environment): Partial<Credentials> {
  const { profiles } = readProfiles(environment);
  const name = profileName(environment);
  if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
  if (environment.SIGNALBOX_PROFILE) throw new UsageError(`there is no profile "${name}": signalbox profile list`);
  return {};
}

/** `npm start` writes the key of the first company here. */
function localKey(environment: Environment): string | undefined {
  try {
    return readFileSync(join(environment.DATA_DIR || '.data', 'admin-key'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function apiUrl(text: string): string {
  const url = text.replace(/\/+$/, '');
  return url.endsWith('/api/v1') ? url : `${url}/api/v1`;
}

const isLocal = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

/**
 * From the environment, else the profile in use, else the platform that runs in this directory. A stored key is sent
 * only to its own address.
 */
export function findCredentials(environment: Environment): Partial<Credentials> {
  const stored = environment.SIGNALBOX_API_KEY && environment.SIGNALBOX_URL ? {} : storedProfile(environment);
  const port = environment.PORT === undefined ? undefined : `http://127.0.0.1:${environment.PORT}`;
  const url = apiUrl(environment.SIGNALBOX_URL || stored.url || port || LOCAL_URL);
  const ofStored = stored.url === url ? stored.key : undefined;
  const key = environment.SIGNALBOX_API_KEY || ofStored || (isLocal(url) ? localKey(environment) : undefined);
  return { url, ...(key === undefined ? {} : { key }) };
}

/** `--profile NAME` overrides all environment variables. */
export function withProfile<E extends Environment>(
  words: string[],
  environment: E,
): { words: string[]; environment: E } {
  const end = words.indexOf('--');
  const at = words.findIndex((word, place) => /^--profile(=|$)/.test(word) && (end < 0 || place < end));
  const given = words[at];
  if (given === undefined) return { words, environment };
  const inline = given.startsWith('--profile=');
  const name = inline ? given.slice('--profile='.length) : words[at + 1];
  const { SIGNALBOX_API_KEY: _key, SIGNALBOX_URL: _url, ...rest } = environment;
  return {
    words: words.toSpliced(at, inline ? 1 : 2),
    environment: { ...rest, SIGNALBOX_PROFILE: name || '--profile' } as unknown as E,
  };
}

/** Readable only by the owner; readers never see half a file. */
function writeProfiles(environment: Environment, profiles: Profiles): string {
  const file = credentialsFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  // An existing file would keep its mode.
  rmSync(written, { force: true });
  writeFileSync(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
  renameSync(written, file);
  return file;
}

/** Also makes the profile current when `use` is set or it is the first. */
export function storeProfile(environment: Environment, name: string, credentials: Credentials, use: boolean): string {
  const { current, profiles } = readProfiles(environment);
  const isFirst = current === undefined || !Object.hasOwn(profiles, current);
  return writeProfiles(environment, {
    current: use || isFirst ? name : current,
    profiles: { ...profiles, [checkedName(name)]: credentials },
  });
}

export function useProfile(environment: Environment, name: string): void {
  const { profiles } = readProfiles(environment);
  if (!Object.hasOwn(profiles, name)) throw new UsageError(`there is no profile "${name}": signalbox profile list`);
  writeProfiles(environment, { current: name, profiles });
}

/** False when there is none of this name. Removing the last one deletes the file. */
export function removeProfile(environment: Environment, name: string): boolean {
  const { current, profiles } = readProfiles(environment);
  if (!Object.hasOwn(profiles, name)) return false;
  const { [name]: _removed, ...rest } = profiles;
  if (Object.keys(rest).length === 0) rmSync(credentialsFile(environment), { force: true });
  else writeProfiles(environment, { ...(current === name ? {} : { current }), profiles: rest });
  return true;
}
