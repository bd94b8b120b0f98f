import { resolve } from 'node:path';
import { Options } from '../admin/usage.js';
import { DEPLOYED } from '../launcher/services.js';
import type { Settings } from '../settings/settings.js';
import type { Composition } from './engine.js';
import { findComposer } from './engine.js';
import {
  copyRelease,
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

/**
 * A verified backup, the migrations, then one service after the other; back to the former image when one does not
 * become healthy. The schema stays: the former release runs on it.
 */
export async function upgrade(settings: Settings, words: string[]): Promise<number> {
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
  if (found === null) throw new Error('there is no compose program on this machine');
  const composition = compositionOf(folder, found.composer);
  await ensureImage(found.engine, after);
  await backUp(composition);
  await keepFormerFiles(folder);
  await writeEnv(folder, { PREVIOUS_IMAGE: before });
  await copyRelease(folder);
  await makeSecrets(folder, settings);
  await writeEnv(folder, { SIGNALBOX_IMAGE: after });
  const failure = await change(compositionOf(folder, found.composer)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (failure === null) {
    await complete(folder);
    console.log(`The platform runs on ${after}`);
    return 0;
  }
  console.error(`${failure}\nGoing back to ${before}`);
  await restoreFormerFiles(folder);
  await writeEnv(folder, { SIGNALBOX_IMAGE: before });
  await roll(compositionOf(folder, found.composer));
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
  // Users and rights of NATS may be new; it reloads them without a restart.
  await composition.run('kill', '-s', 'SIGHUP', 'nats');
  console.log('Migrating');
  await composition.run('run', '--rm', 'migrate');
  await roll(composition);
}

async function backUp(composition: Composition): Promise<void> {
  const place = `/backups/before-upgrade-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  console.log(`Backing up to ${place}`);
  await composition.run('run', '--rm', 'backup', 'admin', 'backup', '--to', place);
  await composition.run('run', '--rm', 'backup', 'admin', 'verify', '--from', place);
}

async function roll(composition: Composition): Promise<void> {
  for (const service of ORDER) {
    console.log(`Replacing ${service}`);
    await composition.run('up', '-d', '--no-deps', service);
    await composition.untilReady(service);
  }
  await composition.run('up', '-d', '--no-deps', 'front', 'backup');
}
