import 'reflect-metadata';
import { Controller, Injectable, Module, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, Payload, Transport } from '@nestjs/microservices';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { answer } from '../measure/child.js';
import { ApplicationEntity, existing, GET_APPLICATION, type GetApplication } from './idiomatic-application.js';
import { natsOptions } from './idiomatic-nats.js';

// The service half of the idiomatic base: a Nest microservice on Transport.NATS that answers with TypeORM's findOne.

@Injectable()
class Applications {
  constructor(@InjectRepository(ApplicationEntity) private readonly rows: Repository<ApplicationEntity>) {}

  async get({ company_id, id }: GetApplication): Promise<ApplicationEntity> {
    const row = await this.rows.findOne({ where: existing(company_id, id) });
    if (!row) throw new NotFoundException('application not found');
    return row;
  }
}

@Controller()
class ApplicationsController {
  constructor(private readonly applications: Applications) {}

  @MessagePattern(GET_APPLICATION)
  get(@Payload() payload: GetApplication): Promise<ApplicationEntity> {
    return this.applications.get(payload);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL ?? '',
      entities: [ApplicationEntity],
      poolSize: 10,
    }),
    TypeOrmModule.forFeature([ApplicationEntity]),
  ],
  controllers: [ApplicationsController],
  providers: [Applications],
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
