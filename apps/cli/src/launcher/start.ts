import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { localAddress, type Settings } from '../settings/settings.js';
import { DirectoryWatch } from './supervisor/directory-watch.js';
import { showProgress, type Progress } from './supervisor/progress.js';
import { lockInstance } from './supervisor/instance-lock.js';
import { writeDurably } from '../settings/private-files.js';
import { openDataDirectory } from './data-directory.js';
import { Launch } from './launch.js';
import { requireCompiled } from './supervisor/service-process.js';
import { SERVICES, type Service } from './services.js';

function portIsFree({ host, port }: Settings): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** Later signals change nothing; the stop is bounded anyway. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Replaces the handlers that end the process while it loads.
      process.removeAllListeners(name);
      process.on(name, () => resolve());
    }
  });
}

export async function start(
  settings: Settings,
  services: Service[] = SERVICES,
  progress: Progress = showProgress(process.stdout),
): Promise<number> {
  const stopRequested = stopSignal();
  const directory = await openDataDirectory(settings.dataDir);
  const lock = await lockInstance(directory.root);
  const launcherPid = directory.pidFile('launcher');
  if (lock === null) {
    const pid = (await readFile(launcherPid, 'utf8').catch(() => '')).trim();
    progress.log(`Signalbox already runs on ${directory.root}${pid === '' ? '' : ` (process ${pid})`}`);
    return 1;
  }
  await writeDurably(launcherPid, `${process.pid}\n`);
  const watch = new DirectoryWatch(directory.root);
  const launch = new Launch({ ...settings, dataDir: directory.root }, directory, services, progress);
  try {
    requireCompiled(services);
    await watch.start();
    await launch.endOrphanedServices();
    if (!(await portIsFree(settings))) {
      throw new Error(`another program listens on ${localAddress(settings.host, settings.port)}: choose another PORT`);
    }
    const ends = [stopRequested.then(() => 'stopRequested' as const), watch.gone.then(() => 'deleted' as const)];
    const outcome = await Promise.race([launch.bringUp().then(() => 'up' as const), ...ends]);
    if ((outcome === 'up' ? await Promise.race(ends) : outcome) === 'deleted') {
      progress.end();
      progress.log(
        `The data directory ${directory.root} was deleted: Signalbox ends, because nothing in it can be restored`,
      );
      return 1;
    }
    progress.step('Stopping');
    return 0;
  } catch (error) {
    progress.end();
    progress.log(`Signalbox could not start: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    watch.stop();
    await launch.takeDown();
    await rm(launcherPid, { force: true });
    progress.end();
    progress.log('Signalbox has stopped');
    lock.release();
  }
}
