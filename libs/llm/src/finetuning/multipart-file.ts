import { randomBytes } from 'node:crypto';
import type { TrainingFile } from './finetune-provider.js';

export interface MultipartFile {
  contentType: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

export function multipartFile({ filename, bytes, content }: TrainingFile, purpose: string): MultipartFile {
  const boundary = `signalbox-${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="purpose"',
      '',
      purpose,
      `--${boundary}`,
      `Content-Disposition: form-data; name="file"; filename="${filename}"`,
      'Content-Type: application/jsonl',
      '',
      '',
    ].join('\r\n'),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + bytes + tail.length,
    content: framed(head, content(), tail),
  };
}

async function* framed(
  head: Buffer,
  content: AsyncIterable<Uint8Array | string>,
  tail: Buffer,
): AsyncGenerator<Uint8Array> {
  yield head;
  for await (const part of content) yield typeof part === 'string' ? Buffer.from(part) : part;
  yield tail;
}
