import { resolve } from 'node:path';
import { asksForHelp, Options } from '../usage.js';
import { DEPLOYED } from '../launcher/services.js';
import type { Settings } from '../settings/settings.js';
import type { Composition } from './engine.js';
import { findComposer } from './engine.js';
import {
  copyRelease,
  differsFromFormer,
  dropFormerFiles,
  keepFormerFiles,
  makeSecrets,
  readEnv,
  restoreFormerFiles,
  writeEnv,
} from './folder.js';
import { ensureImage, imageOfSources } from './image.js';
import { compositionOf } from './up.js';

/** Services before those that call them; entrances last. */
const ORDER = DEPLOYED.toSorted((a, b) => Number(a.entrance) - Number(b.entrance)).map(({ name }) => name);

const HELP = `signalbox upgrade
  --folder FOLDER   what \`signalbox up\` has made (default ./signalbox)
  --image NAME      the image (default one built from the sources beside this command)
  --plan            only say what would be done`;

/**
 * A verified backup, the migrations, then one service after the other; back to the former image when one does not
 * become healthy. The schema stays: the former release runs on it.
 */
export async function upgrade(settings: Settings, words: string[]): Promise<number> {
  if (asksForHelp(words)) {
    console.log(HELP);
    return 0;
  }
  const options = Options.read(words, ['folder', 'image'], ['plan']);
  const folder = resolve(options.find('folder') ?? 'signalbox');
  const { SIGNALBOX_IMAGE: image, PREVIOUS_IMAGE: previous } = await readEnv(folder);
  if (image === undefined)
    throw new Error(`${folder} has no platform that \`signalbox up\` has made: name its --folder`);
  // An interrupted upgrade has left the image that was known to work.
  const before = previous || image;
  const after = options.find('image') ?? (await imageOfSources());
  if (after === before && !previous && options.find('image') === null) {
    console.log(`Nothing to upgrade: the platform runs on ${before}`);
    return 0;
  }
  console.log(`From ${before} to ${after}: backup, migrations, then ${ORDER.join(', ')}`);
  if (options.has('plan')) return 0;
  const found = await findComposer();
  const composition = compositionOf(folder, found.composer);
  await ensureImage(found.engine, after);
  await backUp(composition);
  // Without a former image they belong to an upgrade that ended while it cleaned up.
  if (!previous) await dropFormerFiles(folder);
  await keepFormerFiles(folder);
  await writeEnv(folder, { PREVIOUS_IMAGE: before });
  await copyRelease(folder);
  await makeSecrets(folder, settings);
  await writeEnv(folder, { SIGNALBOX_IMAGE: after });
  const failure = await change(compositionOf(folder, found.composer)).then(() => null, messageOf);
  if (failure === null) {
    await complete(folder);
    await deleteOldBackups(compositionOf(folder, found.composer));
    console.log(`The platform runs on ${after}`);
    return 0;
  }
  console.error(`${failure}\nGoing back to ${before}`);
  await goBack(folder, found.composer, before);
  await complete(folder);
  console.error(`The platform runs on ${before} again`);
  return 1;
}

/** What a rollback needs is kept until all services run. */
async function complete(folder: string): Promise<void> {
  await writeEnv(folder, { PREVIOUS_IMAGE: '' });
  await dropFormerFiles(folder);
}

async function change(composition: Composition): Promise<void> {
  console.log('Replacing nats, whose users and rights may be new');
  await composition.replace('nats');
  console.log('Migrating');
  await composition.run('run', '--rm', 'migrate');
  await roll(composition);
  const { folder } = composition;
  // It stops only when its calls have ended, and meanwhile takes no new ones.
  if (await differsFromFormer(folder, 'front/Caddyfile')) await composition.replace('front');
  const { COMPOSE_PROFILES: profiles = '' } = await readEnv(folder);
  if (profiles.split(',').includes('monitoring')) await replaceMonitoring(composition);
}

/** The platform serves without it. */
async function replaceMonitoring(composition: Composition): Promise<void> {
  await composition
    .replace('prometheus', 'grafana', 'collector')
    .catch((error: unknown) => console.error(`the monitoring was not replaced: ${messageOf(error)}`));
}

async function backUp(composition: Composition): Promise<void> {
  const place = `/backups/before-upgrade-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  console.log(`Backing up to ${place}`);
  await composition.run('run', '--rm', 'backup', 'admin', 'backup', '--to', place);
  await composition.run('run', '--rm', 'backup', 'admin', 'verify', '--from', place);
}

/** By the new release, since a former one may not know the command. Where backups go to a bucket, nothing else does it. */
async function deleteOldBackups(composition: Composition): Promise<void> {
  const { BACKUPS_KEPT: keep } = await readEnv(composition.folder);
  await composition
    .run('run', '--rm', 'backup', 'admin', 'backups', '--prune', '--to', '/backups', '--keep', keep || '7')
    .catch((error: unknown) => console.error(`old backups were not deleted: ${String(error)}`));
}

async function roll(composition: Composition): Promise<void> {
  for (const service of ORDER) await replaceService(composition, service);
  await composition.run('up', '-d', '--no-deps', 'front', 'backup');
}

/** Tries each service, so that one that fails leaves no other one on the new image. */
async function goBack(folder: string, composer: readonly string[], image: string): Promise<void> {
  const isBusChanged = await differsFromFormer(folder, 'generated/nats.conf');
  const isFrontChanged = await differsFromFormer(folder, 'front/Caddyfile');
  await restoreFormerFiles(folder);
  await writeEnv(folder, { SIGNALBOX_IMAGE: image });
  const composition = compositionOf(folder, composer);
  const failures: string[] = [];
  const attempt = async (step: Promise<unknown>): Promise<void> => {
    await step.catch((error: unknown) => failures.push(messageOf(error)));
  };
  console.log('Starting nats as it was');
  await attempt(isBusChanged ? composition.replace('nats') : composition.run('up', '-d', '--no-deps', 'nats'));
  for (const service of ORDER) await attempt(replaceService(composition, service));
  await attempt(composition.run('up', '-d', '--no-deps', 'front', 'backup'));
  if (isFrontChanged) await attempt(composition.replace('front'));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function replaceService(composition: Composition, service: string): Promise<void> {
  console.log(`Replacing ${service}`);
  await composition.run('up', '-d', '--no-deps', service);
  await composition.untilReady(service);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
