import { isJsonObject } from '@signalbox/contracts';
import { cutText } from '../otlp/bounded.js';

type Fields = Record<string, unknown>;

const MEDIA = /^(blob|uri|document|media|(input_)?(image|audio|video|file)(_url)?)$/;
/** Where emitters put the type, the bytes and the address of media, at the top of a part or below. */
const TYPES = ['mime_type', 'mediaType', 'media_type', 'mimeType', 'format'];
const BYTES = ['content', 'data', 'base64', 'file_data', 'bytes'];
const ADDRESSES = ['uri', 'url', 'image_url', 'file_url', 'image', 'audio', 'file', 'file_id', 'fileId'];

const ADDRESS = /^[a-z][\w+.-]*:\S+$/i;
const BASE64 = /^[\w+/=\r\n-]+( \[cut: \d+ bytes\])?$/;
const DATA_URL =
  /data:([\w.+-]{1,100}\/[\w.+-]{1,100})(?:;[\w.+=-]{1,100}){0,5}?;base64,([\w+/=-]+(?: \[cut: \d+ bytes\])?)/g;
/** Longer than an id or a name. */
const MIN_BYTES = 256;
const MAX_ADDRESS = 2000;

function bytesIn(base64: string): number {
  const cut = / \[cut: (\d+) bytes\]$/.exec(base64);
  const kept = Buffer.byteLength(cut ? base64.slice(0, cut.index) : base64, 'base64');
  return kept + Math.floor((Number(cut?.[1] ?? 0) * 3) / 4);
}

/** Bytes in JSON are base64 or a list of numbers, which is an object for an array of bytes. */
function sizeOf(value: unknown, min: number): number | null {
  if (typeof value === 'string') return value.length >= min && BASE64.test(value) ? bytesIn(value) : null;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) && '0' in value ? Object.keys(value).length : null;
}

const leavesOf = (fields: Fields, left = 3): [string, unknown][] =>
  Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    left > 0 && isJsonObject(value) && !('0' in value) ? leavesOf(value, left - 1) : [[name, value]],
  );

const placeholder = (kind: string, type: string, what: string): string =>
  `[${[kind, type].filter((each) => each !== '').join(' ')}${what}]`;

/** Null for a part that is no image, sound or file. */
export function mediaOf(part: Fields): string | null {
  if (typeof part.type !== 'string' || !MEDIA.test(part.type)) return null;
  const leaves = leavesOf(part);
  const first = (names: readonly string[]): unknown =>
    leaves.find(([name, value]) => names.includes(name) && value !== null && value !== '')?.[1];
  const text = (...names: string[]): string => {
    const value = first(names);
    return typeof value === 'string' ? value.slice(0, 100) : '';
  };
  const type = text(...TYPES);
  const kind = text('modality') || (/image|audio|video/.exec(`${part.type} ${type}`)?.[0] ?? 'file');
  const bytes = first(BYTES);
  const address = first(ADDRESSES) ?? (typeof bytes === 'string' && ADDRESS.test(bytes) ? bytes : undefined);
  // A document may be a text.
  const size = sizeOf(bytes, part.type === 'document' ? MIN_BYTES : 0) ?? sizeOf(address, MIN_BYTES);
  if (size !== null) return placeholder(kind, type, `, ${size} bytes`);
  if (typeof address !== 'string') return null;
  const [, dataType, data] = [...address.matchAll(DATA_URL)][0] ?? [];
  if (dataType && data) return placeholder(kind, dataType, `, ${bytesIn(data)} bytes`);
  return placeholder(kind, type, `: ${cutText(address, MAX_ADDRESS)}`);
}

/** Media within other texts. */
export const withoutData = (text: string): string =>
  text.replace(DATA_URL, (url, type: string, data: string) =>
    data.length < MIN_BYTES ? url : placeholder('', type, `, ${bytesIn(data)} bytes`),
  );
