import { createInterface } from 'node:readline/promises';
import { createClient } from '@signalbox/sdk';
import {
  apiUrl,
  type Credentials,
  credentialsFile,
  findCredentials,
  profileName,
  removeProfile,
  storeProfile,
} from './credentials.js';
import { describeFailure, exitCodeOf } from './failures.js';
import { readText } from './input.js';
import { connectedClient } from './run-command.js';
import { UsageError } from './usage-error.js';

function optionIn(words: string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  return words[at]?.includes('=') ? words[at]?.split('=').slice(1).join('=') : words[at + 1];
}

/** A key on the command line would be in the shell history and the list of processes. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) return (await readText('-')).trim();
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question('API key: ')).trim();
  } finally {
    prompt.close();
  }
}

export async function guarded(name: string, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(`signalbox ${name}: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}

export async function askForKey(
  given: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<{ credentials: Credentials; owner: string }> {
  const url = given ?? findCredentials({ ...environment, SIGNALBOX_PROFILE: undefined }).url ?? '';
  if (!URL.canParse(url)) throw new UsageError(`${url} is not a URL`);
  const key = await readKey();
  if (key === '') throw new UsageError('no key was given');
  const { name, company } = await createClient({ apiKey: key, baseUrl: url }).apiKeys.getCurrent();
  return { credentials: { url, key }, owner: `the key "${name}" of company ${company.id} (${company.name})` };
}

export const login = (words: string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('login', async () => {
    const given = optionIn(words, 'url');
    const name = profileName(environment);
    const { credentials, owner } = await askForKey(given === undefined ? undefined : apiUrl(given), environment);
    storeProfile(environment, name, credentials, true);
    console.log(`Stored in ${credentialsFile(environment)}, profile "${name}": ${owner}`);
  });

export const logout = (environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('logout', async () => void removeProfile(environment, profileName(environment)));

export const whoami = (words: string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('whoami', async () => {
    const current = await connectedClient(environment).apiKeys.getCurrent();
    const { url } = findCredentials(environment);
    if (words.includes('--json')) return console.log(JSON.stringify({ url, ...current }, null, 2));
    const { name, company, scopes, key_prefix } = current;
    console.log(`${name} (${key_prefix}…) of company ${company.id} (${company.name}) at ${url}: ${scopes.join(', ')}`);
  });
