import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { StoredObjects } from '../stored-objects/index.js';

/** Bytes of scripts that are kept in memory; a script never changes under its key. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/** A stored script. */
export interface StoredScript {
  script_key: string;
  script_sha256: string;
}

/** The texts of scripts, in the object store under the hash of their content. */
@Injectable()
export class ScriptTexts {
  /** The texts that were read last, in the order of their last use. */
  private readonly kept = new Map<string, string>();
  private keptBytes = 0;

  constructor(private readonly objects: StoredObjects) {}

  async put(companyId: number, script: string): Promise<StoredScript> {
    const script_key = await this.objects.put(companyId, Buffer.from(script));
    this.keep(script_key, script);
    return { script_key, script_sha256: script_key.slice(script_key.indexOf('/') + 1) };
  }

  /** The text under a key; an error when the store has lost it. */
  async get(key: string): Promise<string> {
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const bytes = await this.objects.get(key);
    if (!bytes) throw new ApiError('internal', 'the script is missing in the object store');
    const text = bytes.toString('utf8');
    this.keep(key, text);
    return text;
  }

  private keep(key: string, text: string): void {
    if (this.kept.has(key)) return;
    this.kept.set(key, text);
    this.keptBytes += text.length;
    for (const [oldest, { length }] of this.kept) {
      if (this.keptBytes <= MAX_KEPT_BYTES) return;
      this.kept.delete(oldest);
      this.keptBytes -= length;
    }
  }
}
