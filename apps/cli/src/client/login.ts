import { createInterface } from 'node:readline/promises';
import { createClient } from '@signalbox/sdk';
import { apiUrl, findCredentials, forgetCredentials, storeCredentials } from './credentials.js';
import { describeFailure, exitCodeOf } from './failures.js';
import { readText } from './input.js';
import { connectedClient } from './run-command.js';
import { UsageError } from './usage-error.js';

/** The value of `--name value` or `--name=value`. */
function optionIn(words: string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  return words[at]?.includes('=') ? words[at]?.split('=').slice(1).join('=') : words[at + 1];
}

/** A key on the command line would be in the history of the shell and in the list of processes. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) return readText('-').trim();
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question('API key: ')).trim();
  } finally {
    prompt.close();
  }
}

async function guarded(name: string, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(`signalbox ${name}: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}

/** `signalbox login [--url URL]`: checks a key and stores it. */
export const login = (words: string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('login', async () => {
    const url = apiUrl(optionIn(words, 'url') ?? findCredentials(environment).url ?? '');
    if (!URL.canParse(url)) throw new UsageError(`${url} is not a URL`);
    const key = await readKey();
    if (key === '') throw new UsageError('no key was given');
    const { name, company } = await createClient({ apiKey: key, baseUrl: url }).apiKeys.getCurrent();
    const file = storeCredentials(environment, { url, key });
    console.log(`The key "${name}" of company ${company.id} (${company.name}) is stored in ${file}`);
  });

/** `signalbox logout`: deletes the stored key. */
export const logout = (environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('logout', async () => forgetCredentials(environment));

/** `signalbox whoami`: the key, its company and scopes. */
export const whoami = (words: string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('whoami', async () => {
    const current = await connectedClient(environment).apiKeys.getCurrent();
    const { url } = findCredentials(environment);
    if (words.includes('--json')) return console.log(JSON.stringify({ url, ...current }, null, 2));
    const { name, company, scopes, key_prefix } = current;
    console.log(`${name} (${key_prefix}…) of company ${company.id} (${company.name}) at ${url}: ${scopes.join(', ')}`);
  });
