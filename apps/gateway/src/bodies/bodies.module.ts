import { Module } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { BodyBudget, ClientAddresses, ConcurrencyQueue, LimitsModule } from '../limits/index.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { BodyPipe } from './body.pipe.js';
import { type BodyBounds, BodyReader } from './body-reader.js';
import { FileReader } from './file-reader.js';
import { UploadReader } from './upload-reader.js';
import { UploadSlots } from './upload-slots.js';

const MIB = 1_048_576;
/**
 * Slots for bodies of more than 1 MiB. Companies have no total: a body that waits for a slot of its address must not
 * keep other companies out.
 */
const LARGE_BODIES_OF_COMPANIES = { slots: Infinity, slotsPerKey: 2, waitMs: 5000 };
const LARGE_BODIES_OF_ADDRESSES = { slots: 8, slotsPerKey: 4, waitMs: 5000 };
/** Files may arrive for minutes. */
const UPLOADS_OF_COMPANIES = { slots: 16, slotsPerKey: 4, waitMs: 5000 };
const UPLOADS_OF_ADDRESSES = { ...UPLOADS_OF_COMPANIES, slotsPerKey: 8 };

const BODY_BOUNDS = Symbol('body bounds');

function bodyBounds({ BODY_MEMORY_MIB }: GatewaySettings, addresses: ClientAddresses): BodyBounds {
  const bytes = BODY_MEMORY_MIB * MIB;
  return {
    budget: new BodyBudget({ total: bytes, perAddress: bytes / 4 }),
    large: {
      companies: new ConcurrencyQueue(LARGE_BODIES_OF_COMPANIES),
      addresses: new ConcurrencyQueue(LARGE_BODIES_OF_ADDRESSES),
    },
    uploads: {
      companies: new ConcurrencyQueue(UPLOADS_OF_COMPANIES),
      addresses: new ConcurrencyQueue(UPLOADS_OF_ADDRESSES),
    },
    addressOf: (request) => addresses.of(request),
  };
}

@Module({
  imports: [LimitsModule],
  providers: [
    BodyPipe,
    { provide: BODY_BOUNDS, inject: [GATEWAY_SETTINGS, ClientAddresses], useFactory: bodyBounds },
    { provide: BodyReader, inject: [BODY_BOUNDS], useFactory: (bounds: BodyBounds) => new BodyReader(bounds) },
    { provide: UploadSlots, inject: [BODY_BOUNDS], useFactory: (bounds: BodyBounds) => new UploadSlots(bounds) },
    {
      provide: UploadReader,
      inject: [BusClient, UploadSlots],
      useFactory: (bus: BusClient, slots: UploadSlots) => new UploadReader(bus, slots),
    },
    {
      provide: FileReader,
      inject: [BusClient, UploadSlots],
      useFactory: (bus: BusClient, slots: UploadSlots) => new FileReader(bus, slots),
    },
  ],
  exports: [BodyPipe, BodyReader, FileReader, UploadReader],
})
export class BodiesModule {}
