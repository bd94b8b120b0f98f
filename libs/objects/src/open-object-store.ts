import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@signalbox/platform';
import { DirectoryPlace } from './directory-place.js';
import { ObjectStore } from './object-store.js';
import type { Place } from './place.js';
import { s3Address } from './s3-address.js';
import { S3Place } from './s3-place.js';

/** Opens the store of one service; a service can access only its own prefix. */
export function openObjectStore(settings: Settings<'OBJECT_STORE_URL' | 'DATA_DIR'>, room: string): ObjectStore {
  return new ObjectStore(placeOf(settings, room));
}

/** Opens what a store keeps its objects in, for commands that copy whole stores. */
export function placeOf(
  { OBJECT_STORE_URL: url, DATA_DIR: dataDir }: Settings<'OBJECT_STORE_URL' | 'DATA_DIR'>,
  room: string,
): Place {
  if (url === '') return new DirectoryPlace(resolve(dataDir, 'objects'), room);
  if (url.startsWith('file:')) return new DirectoryPlace(fileURLToPath(url), room);
  return new S3Place(s3Address(url), room);
}
