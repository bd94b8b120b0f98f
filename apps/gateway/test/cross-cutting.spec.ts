import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type CallHandler, Controller, Get, Module, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, loggerModule, nestLogger, PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { ApiClient, Platform, serviceEnv, type TestCompany } from '@signalbox/testing';
import { type Observable, tap } from 'rxjs';
import { GatewayAdapter } from '../src/gateway-adapter.js';
import { GatewayModule } from '../src/gateway.module.js';
import { ClientAddresses } from '../src/limits/index.js';
import { ContentReply } from '../src/replies/index.js';
import { roleOf } from '../src/role.js';
import { MaintenanceModule } from './maintenance.module.js';

class Seen implements NestInterceptor {
  intercept(_execution: unknown, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(tap((reply) => reply instanceof ContentReply && (reply.headers['X-Seen'] = 'yes')));
  }
}

@Controller('/plain')
class PlainController {
  @Get()
  read(): object {
    return { plain: true };
  }
}

@Module({ controllers: [PlainController], providers: [{ provide: APP_INTERCEPTOR, useClass: Seen }] })
class PlainModule {}

let platform: Platform;
let company: TestCompany;
let app: NestFastifyApplication;

beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
  company = await platform.company();
  const names = [
    ...PROCESS_SETTINGS,
    'NATS_URL',
    'PUBLIC_URL',
    'IDEMPOTENCY_KEY',
    'RATE_LIMIT_RPS',
    'GATEWAY_REPLICAS',
    'CORS_ORIGINS',
    'BODY_MEMORY_MIB',
    'TRUSTED_PROXIES',
  ] as const;
  const settings = readSettings(names, serviceEnv(platform.servers, 'gateway'));
  const logger = createLogger('gateway', 'silent');
  @Module({
    imports: [loggerModule(logger), GatewayModule.with(settings, roleOf(undefined)), MaintenanceModule, PlainModule],
  })
  class ExtendedGateway {}
  app = await NestFactory.create<NestFastifyApplication>(
    ExtendedGateway,
    new GatewayAdapter({ total: 100, perAddress: 100 }, new ClientAddresses([])),
    { logger: nestLogger(logger), abortOnError: false, bodyParser: false },
  );
  await app.listen(0, '127.0.0.1');
}, 60_000);
afterAll(async () => {
  await app?.close();
  await platform?.stop();
});

const call = async (method: string, path: string, key = company.key) =>
  new ApiClient(await app.getUrl(), key).send<unknown>(method, path, method === 'GET' ? undefined : { name: 'a' });

describe('a cross-cutting concern', () => {
  it('is shown in the README as it runs here', async () => {
    const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
    const [readme, source] = await Promise.all([
      readFile(at('README.md'), 'utf8'),
      readFile(at('test/maintenance.module.ts'), 'utf8'),
    ]);
    const [, shown = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    expect(source.endsWith(shown) && shown.includes('APP_GUARD')).toBe(true);
  });

  it('is one guard, which runs after those of the gateway and refuses with the error of the API', async () => {
    expect((await call('GET', '/api/v1/company')).status).toBe(200);
    const refused = await call('POST', '/api/v1/api-keys');
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '60',
      { error: { status: 503, message: 'only reading is possible at the moment' } },
    ]);
    expect((await call('POST', '/api/v1/api-keys', '')).status).toBe(401);
  });

  it('is one interceptor, which sees the reply before it is sent', async () => {
    const { headers } = await call('GET', '/api/v1/company');
    expect([headers.get('x-seen'), headers.get('x-content-type-options')]).toEqual(['yes', 'nosniff']);
  });

  it('covers an ordinary controller, which needs a key and replies in the envelope', async () => {
    const { status, headers, body } = await call('GET', '/plain');
    expect([status, headers.get('x-content-type-options'), body]).toEqual([200, 'nosniff', { data: { plain: true } }]);
    expect((await call('GET', '/plain', '')).status).toBe(401);
  });
});
