import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusClient } from '@signalbox/bus';
import { loggerModule, nestLogger, PROCESS_SETTINGS, readSettings, runService } from '@signalbox/platform';
import { GatewayAdapter } from './gateway-adapter.js';
import { GatewayModule } from './gateway.module.js';
import { ClientAddresses } from './limits/index.js';
import { InProcessCompletions } from './in-process-completions.js';
import { roleOf } from './role.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'IDEMPOTENCY_KEY',
  'RATE_LIMIT_RPS',
  'GATEWAY_REPLICAS',
  'CORS_ORIGINS',
  'BODY_MEMORY_MIB',
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'TRUSTED_PROXIES',
  'COMPLETIONS_NATS_URL',
  'COMPLETIONS_DATABASE_URL',
  'COMPLETIONS_WORKER_DATABASE_URL',
  'COMPLETIONS_PROVIDER_SEAL_KEY',
  'DATA_DIR',
  'EGRESS_ALLOW',
]);

const role = roleOf(process.argv[2]);

await runService({
  name: role.name,
  settings,
  async start(logger, stop) {
    const addresses = new ClientAddresses(settings.TRUSTED_PROXIES);
    const limits = { total: settings.MAX_CONNECTIONS, perAddress: settings.MAX_CONNECTIONS_PER_ADDRESS };
    const module = GatewayModule.with(settings, role);
    const app = await NestFactory.create<NestFastifyApplication>(
      { ...module, imports: [loggerModule(logger, stop), ...(module.imports ?? [])] },
      new GatewayAdapter(limits, addresses),
      { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
    );
    const completions = new InProcessCompletions(settings, app.get(BusClient), logger, stop);
    await completions.start();
    await app.listen(settings.PORT, settings.HOST);
    return {
      async close(): Promise<void> {
        await app.close();
        await completions.close();
      },
    };
  },
});
