import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './nats-official.mjs';
import { CACHE, run, say } from './repository.mjs';

/** apt options that restrict apt's writes to our own directory, so that no root rights are needed. */
function ownLists(directory) {
  for (const name of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(directory, name), { recursive: true });
  return [
    ['Dir::State::lists', join(directory, 'lists')],
    ['Dir::Cache', join(directory, 'cache')],
    ['Debug::NoLocking', 'true'],
    ['APT::Sandbox::User', process.getuid?.() === 0 ? 'root' : ''],
  ].flatMap(([key, value]) => ['-o', `${key}=${value}`]);
}

async function downloadPackage(staging) {
  const directory = join(staging, 'package');
  mkdirSync(directory);
  const sandbox = ['-o', 'APT::Sandbox::User=root'];
  try {
    await run('apt-get', ['-q', ...sandbox, 'download', 'nats-server'], { cwd: directory });
  } catch {
    const options = ownLists(join(staging, 'apt'));
    await run('apt-get', ['-q', ...options, 'update'], { cwd: directory });
    await run('apt-get', ['-q', ...options, 'download', 'nats-server'], { cwd: directory });
  }
  const file = readdirSync(directory).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get downloaded nothing');
  return join(directory, file);
}

/** Extracts nats-server from the Debian or Ubuntu package; nothing is installed on the system. */
export async function fetchFromDebian(target) {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) {
    throw new Error('this system has no apt-get to take nats-server from');
  }
  say("fetching nats-server from the system's package archive");
  const staging = mkdtempSync(join(CACHE, 'nats-'));
  try {
    const unpacked = join(staging, 'unpacked');
    await run('dpkg-deb', ['-x', await downloadPackage(staging), unpacked]);
    const binary = ['usr/sbin', 'usr/bin']
      .map((place) => join(unpacked, place, 'nats-server'))
      .find((path) => existsSync(path));
    if (binary === undefined) throw new Error('the package holds no nats-server');
    install(binary, target);
  } catch (error) {
    throw new Error(`nats-server could not be taken from the system's package archive: ${error.message}`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
