import { setTimeout as pause } from 'node:timers/promises';
import type { BusClient, InProcessService } from '@signalbox/bus';
import type { GracefulStop, Logger, Settings } from '@signalbox/platform';
import { serveCompletionsInProcess } from '@signalbox/traffic/in-process';

type CompletionSettings = Settings<
  | 'COMPLETIONS_NATS_URL'
  | 'COMPLETIONS_DATABASE_URL'
  | 'COMPLETIONS_WORKER_DATABASE_URL'
  | 'COMPLETIONS_PROVIDER_SEAL_KEY'
  | 'DATA_DIR'
  | 'EGRESS_ALLOW'
>;

type Logins = Settings<'NATS_URL' | 'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'PROVIDER_SEAL_KEY'>;

/** The API opens after this in any case; until completions are served here, calls go to the traffic service. */
const START_WAIT_MS = 5000;
const RETRY_MS = 1000;

/** See docs/decisions/023. Without the logins of the traffic service, calls go over the bus. */
export class InProcessCompletions {
  private service: InProcessService | undefined;
  private readonly closed = new AbortController();
  private starting: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: CompletionSettings,
    private readonly bus: BusClient,
    private readonly logger: Logger,
    private readonly stop: GracefulStop,
  ) {}

  /** Resolves when completions are served here, or after 5 s. */
  async start(): Promise<void> {
    const logins = this.logins();
    if (logins === null) return;
    this.starting = this.serve({ ...this.settings, ...logins });
    await Promise.race([this.starting, pause(START_WAIT_MS, undefined, { ref: false })]);
  }

  /** Null when completions are not to be served here; warns about an incomplete set of settings. */
  private logins(): Logins | null {
    const present = {
      NATS_URL: this.settings.COMPLETIONS_NATS_URL,
      DATABASE_URL: this.settings.COMPLETIONS_DATABASE_URL,
      WORKER_DATABASE_URL: this.settings.COMPLETIONS_WORKER_DATABASE_URL,
      PROVIDER_SEAL_KEY: this.settings.COMPLETIONS_PROVIDER_SEAL_KEY,
    };
    const missing = Object.entries(present).flatMap(([name, value]) => (value === null ? [`COMPLETIONS_${name}`] : []));
    if (missing.length === 0) return present as Logins;
    if (missing.length < Object.keys(present).length)
      this.logger.warn({ missing }, 'completions are not served here: settings are missing');
    return null;
  }

  /** To be called after every possible caller has stopped. */
  async close(): Promise<void> {
    this.closed.abort();
    await this.starting;
    await this.service?.close();
  }

  private async serve(settings: Parameters<typeof serveCompletionsInProcess>[0]): Promise<void> {
    while (!this.closed.signal.aborted) {
      try {
        this.service = await serveCompletionsInProcess(settings, this.logger, this.stop);
        this.bus.useInProcess(this.service.server);
        return;
      } catch (error) {
        this.logger.warn({ error }, 'completions are not served here yet');
        await pause(RETRY_MS, undefined, { signal: this.closed.signal }).catch(() => undefined);
      }
    }
  }
}
