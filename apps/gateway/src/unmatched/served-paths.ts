import type { Contract } from '@signalbox/contracts';
import { DOCUMENT_PATHS } from '../docs/index.js';
import { HEALTH_PATHS } from '../health/index.js';
import { OTEL_PATHS } from '../otel/index.js';
import { PREFIX, routeDefinitionsOf, type ServedPath } from '../request/index.js';

export function servedPaths(contracts: readonly Contract[]): ServedPath[] {
  const paths = new Map<string, ServedPath>();
  const add = (path: string, methods: string[], isOpen: boolean): void => {
    const known = paths.get(path) ?? { path, methods: [], open: false };
    paths.set(path, { path, methods: [...known.methods, ...methods], open: known.open || isOpen });
  };
  for (const { path, methods, endpoint } of routeDefinitionsOf(contracts))
    add(PREFIX + path, methods, endpoint.scope === 'none');
  for (const path of OTEL_PATHS) add(path, ['POST'], false);
  for (const path of [...HEALTH_PATHS, ...DOCUMENT_PATHS]) add(path, ['GET', 'HEAD'], true);
  return [...paths.values()];
}
