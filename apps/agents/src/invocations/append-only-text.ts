export interface Delta {
  content: string;
  step: number;
  restart?: boolean;
}

/**
 * The messages of a task as append-only text, for clients of a protocol without restarts. Each message is a separate
 * paragraph, including text before tool calls. A further attempt at a message continues after the text that was sent;
 * an attempt that contradicts it ends the text.
 */
export class AppendOnlyText {
  private step: number | null = null;
  /** Of the current message: the sent text, and the text of the last attempt. */
  private sent = '';
  private attempt = '';
  private begun = false;

  /** Null when the delta contradicts the sent text. */
  add({ content, step, restart = false }: Delta): string | null {
    const next = step !== this.step;
    const gap = next && this.begun && content !== '' ? '\n\n' : '';
    if (next) this.sent = this.attempt = '';
    this.attempt = restart || next ? content : this.attempt + content;
    if (!next || content !== '') this.step = step;
    const fits = this.attempt.startsWith(this.sent) || this.sent.startsWith(this.attempt);
    if (!fits) return null;
    const rest = this.attempt.slice(this.sent.length);
    this.sent += rest;
    this.begun ||= rest !== '';
    return gap + rest;
  }

  get isComplete(): boolean {
    return this.attempt === this.sent;
  }
}
