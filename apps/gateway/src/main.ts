import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loggerModule, nestLogger, readSettings, runService } from '@signalbox/platform';
import { GatewayAdapter } from './gateway-adapter.js';
import { GatewayModule } from './gateway.module.js';

const settings = readSettings([
  'NATS_URL',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'MASTER_KEY',
  'INVOKE_TIMEOUT_SECONDS',
  'RATE_LIMIT_RPS',
  'LOG_LEVEL',
  'HEALTH_PORT',
]);

await runService({
  name: 'gateway',
  logLevel: settings.LOG_LEVEL,
  healthPort: settings.HEALTH_PORT,
  async start(logger) {
    const module = GatewayModule.with(settings);
    const app = await NestFactory.create<NestFastifyApplication>(
      { ...module, imports: [loggerModule(logger), ...(module.imports ?? [])] },
      new GatewayAdapter(),
      { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
    );
    await app.listen(settings.PORT, settings.HOST);
    return app;
  },
});
