import {
  apiUrl,
  checkedName,
  type Credentials,
  credentialsFile,
  readProfiles,
  removeProfile,
  storeProfile,
  useProfile,
} from './credentials.js';
import { askForKey, guarded } from './login.js';
import { table } from './tables.js';
import { parseOptions } from './parse-options.js';
import { UsageError } from './usage-error.js';

const HELP = `signalbox profile list [--json]
signalbox profile add NAME [--url URL] [--portal-url URL]
signalbox profile use NAME
signalbox profile remove NAME

Keys and addresses under names, in a file that its owner alone can read. add reads the key from standard input, checks it, and
makes the profile the current one when it is the first. Commands use the current profile, else that of SIGNALBOX_PROFILE or
--profile NAME; --profile wins over SIGNALBOX_API_KEY and SIGNALBOX_URL, which win over SIGNALBOX_PROFILE.`;

const TEXT = { type: 'string' } as const;
const OPTIONS = { url: TEXT, 'portal-url': TEXT, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

const portalOf = ({ url, portal }: Credentials): string => portal ?? url.replace(/\/api\/v1$/, '/');

function rowsOf(environment: NodeJS.ProcessEnv) {
  const { current, profiles } = readProfiles(environment);
  return Object.entries(profiles).map(([name, profile]) => ({
    current: name === current,
    profile: name,
    url: profile.url,
    portal: portalOf(profile),
    key: `${profile.key.slice(0, 12)}…`,
  }));
}

function list(environment: NodeJS.ProcessEnv, json: boolean): void {
  const rows = rowsOf(environment);
  if (json) return console.log(JSON.stringify(rows, null, 2));
  console.log(table(rows.map((row) => ({ ...row, current: row.current ? '*' : '' }))));
}

async function add(name: string, values: { url?: string; 'portal-url'?: string }, environment: NodeJS.ProcessEnv) {
  const { 'portal-url': portal } = values;
  if (portal !== undefined && !URL.canParse(portal)) throw new UsageError(`${portal} is not a URL`);
  const url = values.url ?? readProfiles(environment).profiles[name]?.url;
  const { credentials, owner } = await askForKey(url === undefined ? undefined : apiUrl(url), environment);
  storeProfile(environment, name, { ...credentials, ...(portal === undefined ? {} : { portal }) }, false);
  console.log(`The profile "${name}" is stored in ${credentialsFile(environment)}: ${owner}`);
}

export const profileCommand = (words: string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  guarded('profile', async () => {
    const { values, positionals } = parseOptions({ args: words, options: OPTIONS, allowPositionals: true });
    const [verb, given, ...more] = positionals;
    if (values.help || verb === undefined) return console.log(HELP);
    if (verb === 'list') return list(environment, values.json ?? false);
    if (!['add', 'use', 'remove'].includes(verb)) throw new UsageError(`there is no profile ${verb}\n\n${HELP}`);
    if (given === undefined || more.length > 0) throw new UsageError(`signalbox profile ${verb} needs one NAME`);
    const name = checkedName(given);
    if (verb === 'add') return add(name, values, environment);
    if (verb === 'use') return useProfile(environment, name);
    if (!removeProfile(environment, name)) throw new UsageError(`there is no profile "${name}"`);
  });
