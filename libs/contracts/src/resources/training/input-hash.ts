import { createHash } from 'node:crypto';
import type { Message } from '../../shapes.js';

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

function contentText(content: Message['content']): string {
  if (content == null) return '';
  if (typeof content === 'string') return folded(content);
  return folded(content.map(({ text, image_url }) => text ?? image_url?.url ?? '').join(' '));
}

const messageText = ({ role, content, tool_calls = [] }: Message): string =>
  [role, contentText(content), ...tool_calls.map(({ function: f }) => `${f.name} ${folded(f.arguments)}`)].join(
    '\u001f',
  );

/** Identifies the input of a training row or a test item; equal for inputs that differ in whitespace only. */
export const inputHash = (messages: readonly Message[]): string =>
  createHash('sha256').update(messages.map(messageText).join('\u001e')).digest('hex').slice(0, 32);
