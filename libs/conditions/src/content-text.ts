export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? [part.text] : []))
    .join('\n');
}
