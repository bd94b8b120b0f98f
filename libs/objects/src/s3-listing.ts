import type { Listed } from './object-backend.js';

export interface ListingPage {
  objects: Listed[];
  next: string | null;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses a response to ListObjectsV2; names are relative to the listed folder. */
export function listingPage(xml: string, folder: string): ListingPage {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    name: (textOf(entry, 'Key') ?? '').slice(folder.length),
    writtenAt: Date.parse(textOf(entry, 'LastModified') ?? ''),
  }));
  return { objects, next: textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : null };
}

export const errorCode = (xml: string): string | null => textOf(xml, 'Code');

function textOf(xml: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  if (found === undefined) return null;
  return found.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(decimal !== undefined ? Number(decimal) : parseInt(hex ?? '', 16));
  });
}
