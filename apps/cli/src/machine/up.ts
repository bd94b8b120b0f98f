import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asksForHelp, BadUsage, Options } from '../usage.js';
import { tableOf } from '../admin/doctor/report.js';
import type { Settings } from '../settings/settings.js';
import { composeFilesOf, copyRelease, makeSecrets, readEnv, writeEnv } from './folder.js';
import { Composition, findComposer } from './engine.js';
import { ensureImage, imageOfSources } from './image.js';
import { preflight } from './preflight.js';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const HELP = `signalbox up --domain NAME
  --folder FOLDER   where the compose files, settings and secrets are (default ./signalbox)
  --company NAME    the first company (default Main)
  --image NAME      the image (default the one that runs here; at first one built from the sources beside this command)
  --check           only say whether this machine can be it
  --prepare         make the files and the image and start nothing, such as before a restore
  --force           in spite of what the check finds
  --monitoring      with Prometheus, Grafana and a collector of traces`;

/** One machine in production, in containers. Run again it starts what does not run. */
export async function up(settings: Settings, words: string[]): Promise<number> {
  if (asksForHelp(words)) {
    console.log(HELP);
    return 0;
  }
  const options = Options.read(
    words,
    ['domain', 'folder', 'company', 'image'],
    ['check', 'prepare', 'force', 'monitoring'],
  );
  const domain = options.get('domain').toLowerCase();
  if (!DOMAIN.test(domain)) throw new BadUsage('--domain takes a name such as signalbox.example.com');
  const folder = resolve(options.find('folder') ?? 'signalbox');
  await mkdir(folder, { recursive: true });
  const { DOMAIN: former, SIGNALBOX_IMAGE: running } = await readEnv(folder);
  if (former === undefined || options.has('check')) {
    const findings = await preflight({ domain, folder });
    process.stdout.write(tableOf(findings));
    const isBlocked = findings.some(({ state }) => state === 'problem') && !options.has('force');
    if (options.has('check') || isBlocked) return isBlocked ? 1 : 0;
  }
  const found = await findComposer();
  // A running image is replaced only by `upgrade`, which makes a backup first.
  const image = options.find('image') ?? running ?? (await imageOfSources());
  // Files and image must be of one release.
  if (image !== running) await copyRelease(folder);
  const isBusChanged = await makeSecrets(folder, settings);
  await writeEnv(folder, {
    DOMAIN: domain,
    PUBLIC_URL: `https://${domain}`,
    SIGNALBOX_IMAGE: image,
    ...(options.has('monitoring') ? { COMPOSE_PROFILES: 'monitoring' } : {}),
  });
  console.log(`The files are in ${folder}. Keep a copy of generated/master-key.env where no backup is.`);
  await ensureImage(found.engine, image);
  if (options.has('prepare')) return 0;
  const composition = compositionOf(folder, found.composer);
  if (isBusChanged) await composition.replace('nats');
  await composition.run('up', '-d');
  await composition.untilReady('accounts');
  if (!(await hasCompany(composition))) await firstCompany(composition, options.find('company') ?? 'Main');
  console.log(`The platform is at https://${domain}. A link that signs in once, for five minutes:`);
  console.log(await signIn(composition));
  return 0;
}

export const compositionOf = (folder: string, composer: readonly string[]): Composition =>
  new Composition(folder, composer, composeFilesOf(folder));

/** Read from the platform: an earlier run may have ended before it created one, and a restored platform has some. */
async function hasCompany(composition: Composition): Promise<boolean> {
  const output = await composition.run('run', '--rm', 'cli', 'admin', 'list-companies');
  return lastJson<unknown[]>(output).length > 0;
}

/** The key is printed once; the portal needs none. */
async function firstCompany(composition: Composition, name: string): Promise<void> {
  const output = await composition.run('run', '--rm', 'cli', 'admin', 'create-company', '--name', name);
  console.log(
    `The first company is "${name}". Its admin key, shown this once:\n${lastJson<{ api_key?: string }>(output).api_key}`,
  );
}

async function signIn(composition: Composition): Promise<string> {
  const output = await composition.run(
    'run',
    '--rm',
    '-e',
    `PUBLIC_URL=${(await readEnv(composition.folder)).PUBLIC_URL}`,
    'cli',
    'portal',
  );
  return /https:\/\/\S+/.exec(output)?.[0] ?? output.trim();
}

function lastJson<T>(output: string): T {
  const line = output.split('\n').findLast((each) => /^[[{]/.test(each));
  if (line === undefined) throw new Error(`the command printed no result: ${output.trim()}`);
  return JSON.parse(line) as T;
}
