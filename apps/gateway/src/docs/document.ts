import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { CONTRACTS, EVENTS, type JsonSchema } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import { asyncApi } from './asyncapi.js';

const asset = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../assets/${name}`, import.meta.url)), 'utf8');

const digest = (text: string, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding);

const compress = promisify(gzip);

export class ServedDocument {
  readonly bytes: Buffer;
  readonly etag: string;
  private compressing: Promise<Buffer> | undefined;

  constructor(
    text: string,
    readonly type: string,
  ) {
    this.bytes = Buffer.from(text);
    this.etag = digest(text, 'base64url').slice(0, 27);
  }

  get compressed(): Promise<Buffer> {
    this.compressing ??= compress(this.bytes, { level: constants.Z_BEST_COMPRESSION });
    return this.compressing;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const served = (document: JsonSchema): ServedDocument => new ServedDocument(JSON.stringify(document), JSON_TYPE);

@Injectable()
export class Document {
  readonly openApi = served(openApi(CONTRACTS));
  readonly asyncApi = served(asyncApi(EVENTS));
  readonly page: ServedDocument;
  readonly pagePolicy: string;

  constructor() {
    const style = asset('docs.css');
    const script = asset('docs.js');
    const page = asset('docs.html')
      .replace('<!-- style -->', () => `<style>${style}</style>`)
      .replace('<!-- script -->', () => `<script>${script}</script>`);
    this.page = new ServedDocument(page, 'text/html; charset=utf-8');
    this.pagePolicy = [
      "default-src 'none'",
      `style-src 'sha256-${digest(style, 'base64')}'`,
      `script-src 'sha256-${digest(script, 'base64')}'`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  }
}
