/** A message as people read it. */
export interface Said {
  role: string;
  content?: unknown;
}

export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (content == null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content.map((part: { text?: string; image_url?: { url: string } }) => part.text ?? '[image]').join('\n');
};

/** A conversation. What models and users write is text, never markup. */
export function Messages({ messages }: { messages: readonly Said[] }) {
  return (
    <div class="stack">
      {messages.map(({ role, content }, n) => (
        <div class={`message ${role === 'assistant' ? 'assistant' : ''}`} key={n}>
          <span class="who">{role}</span>
          <div class="text">{textOf(content)}</div>
        </div>
      ))}
    </div>
  );
}
