import 'reflect-metadata';
import { Controller, Get, Inject, Module, Param, ParseIntPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { map, type Observable } from 'rxjs';
import { answer } from '../measure/answer.js';
import { GET_ACTION, type GetAction } from './idiomatic-action.js';
import { natsOptions } from './idiomatic-nats.js';

// The HTTP half of the idiomatic base: a Nest application on Fastify with a ClientProxy to the service. It checks no
// key and writes no log line.

const company_id = Number(process.env.COMPANY);

@Controller('api/v1/agents/actions')
class ActionsController {
  constructor(@Inject('ACTIONS') private readonly client: ClientProxy) {}

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number): Observable<{ data: unknown }> {
    const payload: GetAction = { company_id, id };
    return this.client.send<unknown>(GET_ACTION, payload).pipe(map((data) => ({ data })));
  }
}

@Module({
  imports: [ClientsModule.register([{ name: 'ACTIONS', transport: Transport.NATS, options: natsOptions() }])],
  controllers: [ActionsController],
})
class GatewayModule {}

const app = await NestFactory.create<NestFastifyApplication>(GatewayModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
answer(
  () => Promise.resolve(null),
  () => app.close(),
);
