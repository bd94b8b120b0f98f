import { randomUUID } from 'node:crypto';
import {
  type FinetuningCall,
  type FinetuningReply,
  type Json,
  ok,
  page,
  refusal,
  seconds,
} from './finetuning-protocol.js';

interface StoredFile extends Json {
  id: string;
  bytes: number;
  filename: string;
  purpose: string;
  text: string;
}
/** As at OpenAI. */
const MIN_EXAMPLES = 10;

export class FinetuningFiles {
  readonly files = new Map<string, StoredFile>();

  reply(call: FinetuningCall, search: URLSearchParams): FinetuningReply {
    if (call.method === 'GET') {
      const purpose = search.get('purpose');
      const files = [...this.files.values()].filter((file) => purpose === null || file.purpose === purpose);
      return ok(page(files.map(({ text: _text, ...file }) => file).reverse()));
    }
    const form = formOf(String(call.body), call.headers['content-type'] ?? '');
    if (!form.file) return refusal(400, "'file' is a required property");
    if (form.purpose !== 'fine-tune') return refusal(400, `'${form.purpose}' is not one of ['fine-tune']`);
    const file: StoredFile = {
      id: `file-${randomUUID().replaceAll('-', '').slice(0, 22)}`,
      object: 'file',
      bytes: Buffer.byteLength(form.file.text),
      created_at: seconds(),
      filename: form.file.name,
      purpose: form.purpose,
      status: 'processed',
      text: form.file.text,
    };
    this.files.set(file.id, file);
    const { text: _text, ...record } = file;
    return ok(record);
  }

  problemOf({
    training_file,
    validation_file,
  }: {
    training_file: string;
    validation_file: string | null;
  }): string | null {
    const lines = linesOf(this.files.get(training_file)?.text);
    if (lines.length < MIN_EXAMPLES)
      return `Training file has ${lines.length} example(s), but must have at least ${MIN_EXAMPLES} examples`;
    const all = validation_file === null ? lines : [...lines, ...linesOf(this.files.get(validation_file)?.text)];
    const at = all.findIndex((line) => !isExample(line));
    return at < 0 ? null : `Invalid file format. Line ${at + 1} is not a chat example`;
  }
}

const linesOf = (text = ''): string[] => text.split('\n').filter((line) => line.trim() !== '');

function isExample(line: string): boolean {
  try {
    const { messages } = JSON.parse(line) as {
      messages?: { role?: string; content?: unknown; tool_calls?: unknown }[];
    };
    const last = messages?.at(-1);
    return last?.role === 'assistant' && (typeof last.content === 'string' || Array.isArray(last.tool_calls));
  } catch {
    return false;
  }
}

function formOf(body: string, contentType: string): { purpose?: string; file?: { name: string; text: string } } {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  const form: ReturnType<typeof formOf> = {};
  for (const part of boundary === undefined ? [] : body.split(`--${boundary}`)) {
    const [head = '', text] = [part.slice(0, part.indexOf('\r\n\r\n')), part.slice(part.indexOf('\r\n\r\n') + 4, -2)];
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === 'purpose') form.purpose = text;
    if (name === 'file') form.file = { name: /filename="([^"]*)"/.exec(head)?.[1] ?? '', text };
  }
  return form;
}
