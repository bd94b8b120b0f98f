import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { releaseOf } from '@signalbox/platform';
import { REPOSITORY } from '../launcher/services.js';
import { runProgram } from './engine.js';

/**
 * Named by the commit of the sources beside this command, so that other sources of the same version get another image
 * and the former one stays. Sources that are not committed are named by the time, and built anew.
 */
export async function imageOfSources(sources = REPOSITORY, now = new Date()): Promise<string> {
  if (!areSources(sources)) return `signalbox:${releaseOf()}`;
  const commit = await git(sources, 'rev-parse', '--short=12', 'HEAD');
  const isCommitted = commit !== null && (await git(sources, 'status', '--porcelain')) === '';
  const mark = isCommitted ? commit : now.toISOString().replace(/\D/g, '').slice(0, 14);
  return `signalbox:${releaseOf()}-${mark}`;
}

/** An installed package has no lockfile: its image is pulled or loaded. */
const areSources = (folder: string): boolean => existsSync(join(folder, 'package-lock.json'));

/** Null where the sources are no repository of their own, or git is missing. */
async function git(sources: string, ...words: string[]): Promise<string | null> {
  if (!existsSync(join(sources, '.git'))) return null;
  const { code, output } = await runProgram(['git', '-C', sources, ...words]);
  return code === 0 ? output.trim() : null;
}

/** A missing image is built from the sources beside this command. */
export async function ensureImage(engine: string, image: string): Promise<void> {
  const { code } = await runProgram([engine, 'image', 'inspect', image]);
  if (code === 0) return;
  const dockerfile = join(REPOSITORY, 'docker/Dockerfile');
  if (!areSources(REPOSITORY)) throw new Error(`the image ${image} is not on this machine: pull or load it`);
  console.log(`Building ${image}`);
  const ignored = ['--ignorefile', `${dockerfile}.dockerignore`];
  const built = await runProgram(
    [engine, 'build', ...(engine === 'podman' ? ignored : []), '-t', image, '-f', dockerfile, REPOSITORY],
    { shown: true },
  );
  if (built.code !== 0) throw new Error(`${image} could not be built`);
}
