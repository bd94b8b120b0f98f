import type { ChatChunk, ChatCompletion } from '@signalbox/llm';

export class AgentChunks {
  private readonly head;
  private begun = false;

  constructor(model: string, taskId: string) {
    const created = Math.floor(Date.now() / 1000);
    this.head = { id: `chatcmpl-${taskId}`, object: 'chat.completion.chunk' as const, created, model };
  }

  *text(content: string): Generator<ChatChunk> {
    const role = this.begun ? {} : { role: 'assistant' as const };
    this.begun = true;
    yield { ...this.head, choices: [{ index: 0, delta: { ...role, content }, finish_reason: null }] };
  }

  *end({ choices, usage }: ChatCompletion): Generator<ChatChunk> {
    if (!this.begun) yield* this.text(choices[0]?.message.content ?? '');
    const finish_reason = choices[0]?.finish_reason ?? 'stop';
    yield { ...this.head, choices: [{ index: 0, delta: {}, finish_reason }] };
    yield { ...this.head, choices: [], usage: usage ?? null };
  }
}
