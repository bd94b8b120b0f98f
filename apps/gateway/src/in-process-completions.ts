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

/** The API opens after this whatever happens: until completions are served here, the traffic service is asked. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 1000;

/**
 * Chat completions served in this process, where the sockets of their clients are (docs/decisions/011). A process
 * that is not given the logins of the traffic service asks it over the bus.
 */
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

  /** Resolves when completions are served here, or after a moment in which that did not succeed yet. */
  async start(): Promise<void> {
    const logins = this.logins();
    if (logins === null) return;
    this.starting = this.serve({ ...this.settings, ...logins });
    await Promise.race([this.starting, pause(PATIENCE_MS, undefined, { ref: false })]);
  }

  /** The logins and the key of the traffic service, null without the role; some of them alone are a mistake. */
  private logins(): Logins | null {
    const given = {
      NATS_URL: this.settings.COMPLETIONS_NATS_URL,
      DATABASE_URL: this.settings.COMPLETIONS_DATABASE_URL,
      WORKER_DATABASE_URL: this.settings.COMPLETIONS_WORKER_DATABASE_URL,
      PROVIDER_SEAL_KEY: this.settings.COMPLETIONS_PROVIDER_SEAL_KEY,
    };
    const missing = Object.entries(given).flatMap(([name, value]) => (value === null ? [`COMPLETIONS_${name}`] : []));
    if (missing.length === 0) return given as Logins;
    if (missing.length < Object.keys(given).length)
      this.logger.warn({ missing }, 'completions are not served here: settings are missing');
    return null;
  }

  /** Ends what is served here, after everybody who could ask for it. */
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
        await pause(AGAIN_MS, undefined, { signal: this.closed.signal }).catch(() => undefined);
      }
    }
  }
}
