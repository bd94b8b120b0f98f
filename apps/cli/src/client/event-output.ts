import { DONE, FAILED } from './exit-codes.js';
import { type Progress, ProgressBar } from './progress.js';
import { cell, printable } from './tables.js';

interface StreamedData {
  type?: string;
  event?: string;
  timestamp?: number;
  occurred_at?: number;
  content?: string;
  progress?: RunProgress;
  choices?: { delta?: { content?: string | null } }[];
  [key: string]: unknown;
}

interface RunProgress {
  total: number;
  completed: number;
  failed: number;
}

const FAILED_EVENT = /\.(failed|cancelled|timed_out)$/;
const HEAD = ['type', 'event', 'seq', 'timestamp', 'occurred_at', 'event_id', 'company_id', 'task_id', 'run_id'];

export const ofTestRun = ({ total, completed, failed }: RunProgress): Progress => ({
  done: completed + failed,
  total,
  note: failed > 0 ? `${failed} failed` : '',
});

export class EventOutput {
  private isInLine = false;
  private readonly bar = new ProgressBar();

  constructor(private readonly isJson: boolean) {}

  /** The exit code says whether the task or run failed. */
  async write(events: AsyncIterable<unknown>): Promise<number> {
    let code = DONE;
    try {
      for await (const event of events) {
        const data = event as StreamedData;
        if (this.isJson) console.log(JSON.stringify(data));
        else this.one(data);
        if (FAILED_EVENT.test(data.type ?? '')) code = FAILED;
      }
    } finally {
      this.endLine();
      this.bar.end();
    }
    return code;
  }

  private one(data: StreamedData): void {
    const text = data.choices
      ? data.choices[0]?.delta?.content
      : data.type === 'message.delta'
        ? data.content
        : undefined;
    if (data.choices || text !== undefined) return this.text(text ?? '');
    if (data.progress) return this.bar.show(ofTestRun(data.progress));
    this.endLine();
    this.bar.end();
    const at = new Date(data.timestamp ?? data.occurred_at ?? Date.now()).toISOString().slice(11, 19);
    const rest = Object.entries(data).filter(([name]) => !HEAD.includes(name));
    const words = rest.map(([name, value]) => `${name}=${cell(name, value)}`);
    console.log(printable([at, data.type ?? data.event ?? '', ...words].join('  ')));
  }

  private text(content: string): void {
    if (content === '') return;
    process.stdout.write(printable(content));
    this.isInLine = !content.endsWith('\n');
  }

  private endLine(): void {
    if (this.isInLine) process.stdout.write('\n');
    this.isInLine = false;
  }
}
