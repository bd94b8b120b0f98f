import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './repository.mjs';

function take(path) {
  // Written to a temporary file and linked: the lock never exists without its owner's pid in it.
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function owner(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function isPreparation(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('bootstrap.mjs');
  } catch {
    return true;
  }
}

/** Runs a piece of work while no other preparation of this clone runs; waits for another one first. */
export async function withLock(path, work) {
  let announced = false;
  while (!take(path)) {
    const pid = owner(path);
    if (pid !== null && (pid === process.pid || !isPreparation(pid))) {
      // Checked twice, so that a lock just acquired by a third process is not removed.
      await sleep(50);
      if (owner(path) === pid) rmSync(path, { force: true });
      continue;
    }
    if (!announced) say('another preparation is running here, waiting for it');
    announced = true;
    await sleep(100);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}
