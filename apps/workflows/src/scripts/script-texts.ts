import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { LRUCache } from 'lru-cache';
import { StoredObjects } from '../stored-objects/index.js';

/** In UTF-16 units. Cached scripts need no invalidation: keys are hashes of the content. */
const MAX_CACHED_LENGTH = 32 * 1024 * 1024;

export interface StoredScript {
  script_key: string;
  script_sha256: string;
}

/** Scripts are objects of the object store under the hash of their content. */
@Injectable()
export class ScriptTexts {
  private readonly cached = new LRUCache<string, string>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(private readonly objects: StoredObjects) {}

  async put(companyId: number, script: string): Promise<StoredScript> {
    const script_key = await this.objects.put(companyId, Buffer.from(script));
    this.cached.set(script_key, script);
    return { script_key, script_sha256: script_key.slice(script_key.indexOf('/') + 1) };
  }

  /** Throws when the store has lost the script. */
  async get(key: string): Promise<string> {
    const known = this.cached.get(key);
    if (known !== undefined) return known;
    const bytes = await this.objects.get(key);
    if (!bytes) throw new ApiError('internal', 'the script is missing in the object store');
    const text = bytes.toString('utf8');
    this.cached.set(key, text);
    return text;
  }
}
