import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { asyncApi, CONTRACTS, EVENTS, type JsonSchema, openApi } from '@signalbox/contracts';

const asset = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../assets/${name}`, import.meta.url)), 'utf8');

const digest = (text: string, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding);

/** A JSON document with its ETag. */
export interface ServedDocument {
  json: string;
  etag: string;
}

function served(document: JsonSchema): ServedDocument {
  const json = JSON.stringify(document);
  return { json, etag: `"${digest(json, 'base64url').slice(0, 27)}"` };
}

/** The documents of the endpoints and of the events, and the HTML page of the former; each is generated once. */
@Injectable()
export class Document {
  readonly openApi = served(openApi(CONTRACTS));
  readonly asyncApi = served(asyncApi(EVENTS));
  readonly page: string;
  /** Allows only the scripts and styles of the page itself. */
  readonly pagePolicy: string;

  constructor() {
    const style = asset('docs.css');
    const script = asset('docs.js');
    this.page = asset('docs.html')
      .replace('<!-- style -->', () => `<style>${style}</style>`)
      .replace('<!-- script -->', () => `<script>${script}</script>`);
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
