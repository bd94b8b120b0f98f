import 'reflect-metadata';
import { Controller, Injectable, Module, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, Payload, Transport } from '@nestjs/microservices';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { answer } from '../measure/answer.js';
import { ActionEntity, existing, GET_ACTION, type GetAction } from './idiomatic-action.js';
import { natsOptions } from './idiomatic-nats.js';

// The service half of the idiomatic base: a Nest microservice on Transport.NATS that replies with TypeORM's findOne.

@Injectable()
class Actions {
  constructor(@InjectRepository(ActionEntity) private readonly rows: Repository<ActionEntity>) {}

  async get({ company_id, id }: GetAction): Promise<ActionEntity & { status: string }> {
    const row = await this.rows.findOne({ where: existing(company_id, id) });
    if (!row) throw new NotFoundException('action not found');
    return { ...row, status: row.enabled ? 'ENABLED' : 'DISABLED' };
  }
}

@Controller()
class ActionsController {
  constructor(private readonly actions: Actions) {}

  @MessagePattern(GET_ACTION)
  get(@Payload() payload: GetAction): Promise<ActionEntity & { status: string }> {
    return this.actions.get(payload);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL ?? '',
      entities: [ActionEntity],
      poolSize: 10,
    }),
    TypeOrmModule.forFeature([ActionEntity]),
  ],
  controllers: [ActionsController],
  providers: [Actions],
})
class ServiceModule {}

const app = await NestFactory.createMicroservice<MicroserviceOptions>(ServiceModule, {
  logger: false,
  transport: Transport.NATS,
  options: natsOptions('bench'),
});
await app.listen();
answer(
  () => Promise.resolve(null),
  () => app.close(),
);
