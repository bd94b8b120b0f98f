import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { documentsOf, type Manifest, ROOT } from './manifests.js';

interface Operation {
  op: string;
  path: string;
  value?: unknown;
}

interface Kustomization {
  resources: string[];
  namespace?: string;
  images?: { name: string; newName?: string; newTag?: string }[];
  patches?: { target: { kind: string; name: string }; patch: string }[];
}

const KNOWN = ['apiVersion', 'kind', 'resources', 'namespace', 'images', 'patches'];
/** Kinds that belong to no namespace. */
const CLUSTER_WIDE = ['Namespace'];

function patched(manifest: Manifest, operations: Operation[]): Manifest {
  const copy = structuredClone(manifest);
  for (const { op, path, value } of operations) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], copy);
    if (op !== 'replace' || typeof parent !== 'object' || parent === null || !(last in parent))
      throw new Error(`the patch ${op} ${path} of ${manifest.kind} ${manifest.metadata.name} has nothing to replace`);
    (parent as Record<string, unknown>)[last] = value;
  }
  return copy;
}

function withImages(manifest: Manifest, images: NonNullable<Kustomization['images']>): Manifest {
  const copy = structuredClone(manifest);
  for (const container of copy.spec?.template?.spec.containers ?? []) {
    const [name, tag] = container.image.split(':');
    const change = images.find((each) => each.name === name);
    if (change) container.image = `${change.newName ?? name}:${change.newTag ?? tag ?? 'latest'}`;
  }
  return copy;
}

/** The manifests of a kustomization: its resources with its images, patches and namespace; unknown keys are errors. */
export function kustomized(directory: string): Manifest[] {
  const file = join(ROOT, directory, 'kustomization.yaml');
  const kustomization = parse(readFileSync(file, 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`${file} has unknown keys: ${unknown.join(', ')}`);
  const { resources, namespace, images = [], patches = [] } = kustomization;
  let all = resources.flatMap((resource) => resourcesOf(directory, resource));
  for (const { target, patch } of patches) {
    const hit = all.filter(({ kind, metadata }) => kind === target.kind && metadata.name === target.name);
    if (hit.length === 0) throw new Error(`a patch of ${file} has no target: ${target.kind} ${target.name}`);
    all = all.map((each) => (hit.includes(each) ? patched(each, parse(patch) as Operation[]) : each));
  }
  return all.map((each) => inNamespace(withImages(each, images), namespace));
}

function resourcesOf(directory: string, resource: string): Manifest[] {
  const path = join(directory, resource);
  if (!existsSync(join(ROOT, path))) throw new Error(`there is no ${path}`);
  return statSync(join(ROOT, path)).isDirectory()
    ? kustomized(path)
    : documentsOf(readFileSync(join(ROOT, path), 'utf8'));
}

function inNamespace(manifest: Manifest, namespace: string | undefined): Manifest {
  if (namespace === undefined || CLUSTER_WIDE.includes(manifest.kind)) return manifest;
  return { ...manifest, metadata: { ...manifest.metadata, namespace } };
}
