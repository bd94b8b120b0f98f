export interface Progress {
  done: number;
  total: number;
  note?: string;
}

const WIDTH = 30;
const STEP_PERCENT = 10;

const percentOf = ({ done, total }: Progress): number => (total === 0 ? 100 : Math.floor((done / total) * 100));

export function bar(progress: Progress): string {
  const percent = percentOf(progress);
  const filled = Math.round((percent / 100) * WIDTH);
  const note = progress.note ? `  ${progress.note}` : '';
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %  ${progress.done}/${progress.total}${note}`;
}

/** On standard error: in one line of a terminal, else a line per tenth. */
export class ProgressBar {
  private shown = -STEP_PERCENT;
  private isOpen = false;

  constructor(private readonly output: NodeJS.WriteStream = process.stderr) {}

  show(progress: Progress): void {
    const percent = percentOf(progress);
    if (this.output.isTTY) {
      this.output.write(`\r\u001b[K${bar(progress)}`);
      this.isOpen = true;
    } else if (percent >= this.shown + STEP_PERCENT || (percent === 100 && this.shown < 100)) {
      this.output.write(`${bar(progress)}\n`);
      this.shown = percent;
    }
  }

  end(): void {
    if (this.isOpen) this.output.write('\n');
    this.isOpen = false;
  }
}
