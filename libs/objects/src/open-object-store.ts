import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@signalbox/platform';
import { FileSystemBackend } from './file-system-backend.js';
import { ObjectStore } from './object-store.js';
import type { ObjectBackend } from './object-backend.js';
import { s3Address } from './s3-address.js';
import { S3Backend } from './s3-backend.js';

/** A service can access only its own prefix. */
export function openObjectStore(settings: Settings<'OBJECT_STORE_URL' | 'DATA_DIR'>, namespace: string): ObjectStore {
  return new ObjectStore(backendOf(settings, namespace));
}

/**
 * For commands that copy whole stores.
 * @param timeoutMs limit of one request to a bucket, in place of that of services
 */
export function backendOf(
  { OBJECT_STORE_URL: url, DATA_DIR: dataDir }: Settings<'OBJECT_STORE_URL' | 'DATA_DIR'>,
  namespace: string,
  timeoutMs?: number,
): ObjectBackend {
  if (url === '') return new FileSystemBackend(resolve(dataDir, 'objects'), namespace);
  if (url.startsWith('file:')) return new FileSystemBackend(fileURLToPath(url), namespace);
  return new S3Backend(s3Address(url), namespace, timeoutMs);
}
