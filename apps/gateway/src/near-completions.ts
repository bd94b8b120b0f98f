import { setTimeout as pause } from 'node:timers/promises';
import type { BusClient, NearService } from '@signalbox/bus';
import type { GracefulStop, Logger, Settings } from '@signalbox/platform';
import { serveCompletionsNear } from '@signalbox/traffic/near';

type Given = Settings<
  | 'COMPLETIONS_NATS_URL'
  | 'COMPLETIONS_DATABASE_URL'
  | 'COMPLETIONS_WORKER_DATABASE_URL'
  | 'COMPLETIONS_PROVIDER_SEAL_KEY'
  | 'DATA_DIR'
  | 'EGRESS_ALLOW'
>;

/** The API opens after this whatever happens: until completions are served here, the traffic service is asked. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 1000;

/**
 * Chat completions served in this process, where the sockets of their clients are (docs/decisions/011). A gateway that
 * is not given the logins of the traffic service asks it over the bus.
 */
export class NearCompletions {
  private service: NearService | undefined;
  private readonly closed = new AbortController();
  private starting: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Given,
    private readonly bus: BusClient,
    private readonly logger: Logger,
    private readonly stop: GracefulStop,
  ) {}

  /** Resolves when completions are served here, or after a moment in which that did not succeed yet. */
  async start(): Promise<void> {
    const { settings } = this;
    const { COMPLETIONS_NATS_URL: NATS_URL, COMPLETIONS_DATABASE_URL: DATABASE_URL } = settings;
    const { COMPLETIONS_WORKER_DATABASE_URL: WORKER_DATABASE_URL, COMPLETIONS_PROVIDER_SEAL_KEY: PROVIDER_SEAL_KEY } =
      settings;
    if (NATS_URL === null || DATABASE_URL === null || WORKER_DATABASE_URL === null || PROVIDER_SEAL_KEY === null)
      return;
    this.starting = this.serve({ ...settings, NATS_URL, DATABASE_URL, WORKER_DATABASE_URL, PROVIDER_SEAL_KEY });
    await Promise.race([this.starting, pause(PATIENCE_MS, undefined, { ref: false })]);
  }

  /** Ends what is served here, after everybody who could ask for it. */
  async close(): Promise<void> {
    this.closed.abort();
    await this.starting;
    await this.service?.close();
  }

  private async serve(settings: Parameters<typeof serveCompletionsNear>[0]): Promise<void> {
    while (!this.closed.signal.aborted) {
      try {
        this.service = await serveCompletionsNear(settings, this.logger, this.stop);
        this.bus.attach(this.service.server);
        return;
      } catch (error) {
        this.logger.warn({ error }, 'completions are not served here yet');
        await pause(AGAIN_MS, undefined, { signal: this.closed.signal }).catch(() => undefined);
      }
    }
  }
}
