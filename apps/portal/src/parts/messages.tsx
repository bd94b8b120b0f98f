import { LongText } from './long-text.js';

export interface Said {
  role: string;
  content?: unknown;
  name?: string;
  tool_calls?: readonly { id?: string; function?: { name?: string; arguments?: string } }[];
}

export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (content == null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content.map((part: { text?: string; image_url?: { url: string } }) => part.text ?? '[image]').join('\n');
};

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

export function Message({ role, content, name, tool_calls = [] }: Said) {
  const text = textOf(content);
  const isTool = role === 'tool';
  return (
    <div class={`message ${role === 'assistant' ? 'assistant' : isTool || role === 'system' ? 'aside' : ''}`}>
      <span class="who">
        {role}
        {name ? ` · ${name}` : ''}
      </span>
      {text !== '' && <LongText text={text} file={`${role}.txt`} />}
      {tool_calls.map((call, n) => (
        <details class="call" key={call.id ?? n}>
          <summary>
            calls <b>{call.function?.name ?? 'a tool'}</b>
          </summary>
          <pre class="json">{pretty(call.function?.arguments ?? '')}</pre>
        </details>
      ))}
      {text === '' && tool_calls.length === 0 && <span class="soft">No text.</span>}
    </div>
  );
}

/** Texts of models and users are never markup. */
export function Messages({ messages }: { messages: readonly Said[] }) {
  return (
    <div class="stack">
      {messages.map((message, n) => (
        <Message {...message} key={n} />
      ))}
    </div>
  );
}
