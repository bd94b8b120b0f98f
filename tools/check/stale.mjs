// Removes compiled files whose source is gone; `tsc -b` leaves them behind.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const COMPILED = /\.(js|d\.ts)(\.map)?$/;

/** The folder a workspace compiles from: dist/src ← src, dist/test ← test, test/system/dist ← test/system. */
function projectsIn(root) {
  const below = (folder) => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []);
  const workspaces = ['apps', 'libs'].flatMap((kind) => below(kind).map((name) => join(root, kind, name)));
  return [...workspaces, join(root, 'test/system'), join(root, 'bench')];
}

function compiledFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true }).filter((file) => COMPILED.test(file));
}

function hasSource(project, file) {
  const stem = join(project, file.replace(COMPILED, ''));
  return ['.ts', '.tsx', '.mts'].some((extension) => existsSync(stem + extension));
}

/** Deletes the files the compiler no longer writes and returns the paths. */
export function removeStale(root) {
  const stale = projectsIn(root).flatMap((project) =>
    compiledFiles(join(project, 'dist'))
      .filter((file) => !hasSource(project, file))
      .map((file) => join(project, 'dist', file)),
  );
  for (const file of stale) rmSync(file);
  return stale;
}
