import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

const DIST = fileURLToPath(new URL('../../../../../dist/portal/', import.meta.url));
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

export interface PortalFile {
  type: string;
  etag: string;
  plain: Buffer;
  compressed: Partial<Record<keyof typeof ENCODINGS, Buffer>>;
}

function read(path: string): PortalFile {
  const plain = readFileSync(path);
  const compressed: PortalFile['compressed'] = {};
  for (const [encoding, ending] of Object.entries(ENCODINGS))
    if (existsSync(path + ending)) compressed[encoding as keyof typeof ENCODINGS] = readFileSync(path + ending);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  return { type: TYPES[path.split('.').pop() ?? ''] ?? 'application/octet-stream', etag, plain, compressed };
}

/** Read once at start: a request can only name files of this list. */
@Injectable()
export class PortalFiles {
  /** Serves every address of the portal; null when the portal was not built. */
  readonly page: PortalFile | null;
  private readonly assets: ReadonlyMap<string, PortalFile>;

  constructor() {
    const folder = join(DIST, 'assets');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name)) : [];
    this.assets = new Map(names.map((name) => [name, read(join(folder, name))]));
    this.page = existsSync(join(DIST, 'index.html')) ? read(join(DIST, 'index.html')) : null;
  }

  asset(name: string): PortalFile | null {
    return this.assets.get(name) ?? null;
  }
}
