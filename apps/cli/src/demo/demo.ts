import type { Settings } from '../settings.js';

/** Walks the main job against the running platform. */
export function runDemo(_settings: Settings): Promise<number> {
  return Promise.reject(new Error('this installation offers no demo'));
}
