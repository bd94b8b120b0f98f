import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { documentsOf, type Manifest, ROOT } from './manifests.js';

const CHART = join(ROOT, 'k8s/chart');

/** The files of values that the chart is rendered with, without the ending. */
export const VALUES = readdirSync(join(CHART, 'ci')).map((name) => name.replace('-values.yaml', ''));

/** A file of the chart, parsed; JSON is YAML. */
export const parsedFile = (path: string): Record<string, unknown> =>
  parse(readFileSync(join(CHART, path), 'utf8')) as Record<string, unknown>;

/** A Helm of this major version, fetched when it is not there; undefined where it cannot be had. */
export function findHelm(major: string): string | undefined {
  const found = spawnSync(process.execPath, [join(ROOT, 'tools/helm.mjs'), major], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

/** What the chart renders with one file of values and further arguments; Helm's error is thrown. */
export function rendered(helm: string, values: string, ...further: string[]): Manifest[] {
  const file = join(CHART, 'ci', `${values}-values.yaml`);
  return renderedAs(helm, ['signalbox', CHART, '-n', 'signalbox', '-f', file, ...further]);
}

/** The `helm` commands of a page that install the chart, each as the arguments after `helm upgrade --install`. */
export function installCommandsOf(page: string): string[][] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll('\\\n', ' ');
  return [...text.matchAll(/^helm upgrade --install (.*)$/gm)].map(([, rest]) =>
    rest!
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^'(.*)'$/, '$1')),
  );
}

/** What Helm renders in place of an installation with these arguments. */
export const renderedAs = (helm: string, args: string[]): Manifest[] =>
  documentsOf(
    execFileSync(helm, ['template', ...args, '--kube-version', '1.30'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }),
  ).filter(Boolean);

/** `kind name` of a manifest. */
export const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
