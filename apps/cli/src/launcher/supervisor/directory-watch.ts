import { stat } from 'node:fs/promises';

const LOOK_MS = 1000;

export class DirectoryWatch {
  /** Resolves once the directory is not the one of the start. */
  readonly gone: Promise<void>;
  private resolve: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly path: string) {
    this.gone = new Promise((resolve) => (this.resolve = resolve));
  }

  async start(): Promise<void> {
    const own = await stat(this.path);
    this.timer = setInterval(() => {
      stat(this.path).then(
        ({ ino, dev }) => (ino === own.ino && dev === own.dev ? undefined : this.resolve()),
        (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? this.resolve() : undefined),
      );
    }, LOOK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
