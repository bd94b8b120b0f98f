import type { Settings } from './settings.js';

/** What a new company comes with. */
export interface CreatedCompany {
  company_id: number;
  api_key: string;
}

/** The platform that is installed here offers no administration over the bus. */
export class AdminUnavailable extends Error {
  override name = 'AdminUnavailable';
  constructor() {
    super('this installation offers no admin commands');
  }
}

/** Creates a company and its first key, with all scopes. */
export function createCompany(_natsUrl: string, _name: string): Promise<CreatedCompany> {
  return Promise.reject(new AdminUnavailable());
}

/** Runs `signalbox admin …`. */
export function runAdmin(_settings: Settings, _words: string[]): Promise<number> {
  return Promise.reject(new AdminUnavailable());
}
