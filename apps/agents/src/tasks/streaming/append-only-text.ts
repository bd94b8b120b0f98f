/** A piece of a message as the stream of a task tells it. */
export interface Delta {
  content: string;
  step: number;
  restart?: boolean;
}

/**
 * The messages of a task as one text of which nothing can be taken back, for readers who know nothing of restarts. Each
 * message is a paragraph of its own: what an agent says before it acts stays. Another try of a message is let through
 * from where it goes beyond the first; one that says something else ends the text.
 */
export class AppendOnlyText {
  private step: number | null = null;
  /** Of the current message: what was let through, and what the last try of it has said. */
  private sent = '';
  private said = '';
  private begun = false;

  /** What of a piece can be let through; null when it contradicts what was. */
  add({ content, step, restart = false }: Delta): string | null {
    const next = step !== this.step;
    const gap = next && this.begun && content !== '' ? '\n\n' : '';
    if (next) this.sent = this.said = '';
    this.said = restart || next ? content : this.said + content;
    if (!next || content !== '') this.step = step;
    const fits = this.said.startsWith(this.sent) || this.sent.startsWith(this.said);
    if (!fits) return null;
    const rest = this.said.slice(this.sent.length);
    this.sent += rest;
    this.begun ||= rest !== '';
    return gap + rest;
  }

  /** Whether the last try has said everything that was let through. */
  get isWhole(): boolean {
    return this.said === this.sent;
  }
}
