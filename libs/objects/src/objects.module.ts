import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { OBJECT_PROBE, type Settings } from '@signalbox/platform';
import { ObjectStore } from './object-store.js';
import { openObjectStore } from './open-object-store.js';
import { storeProbe } from './store-probe.js';

/** Runs after everything that uses the store has stopped. */
class ObjectsShutdown implements OnApplicationShutdown {
  constructor(@Inject(ObjectStore) private readonly store: ObjectStore) {}

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}

@Global()
@Module({})
export class ObjectsModule {
  static forService(service: string, settings: Settings<'OBJECT_STORE_URL' | 'DATA_DIR'>): DynamicModule {
    return {
      module: ObjectsModule,
      providers: [
        { provide: ObjectStore, useFactory: () => openObjectStore(settings, service) },
        { provide: OBJECT_PROBE, inject: [ObjectStore], useFactory: storeProbe },
        ObjectsShutdown,
      ],
      exports: [ObjectStore, OBJECT_PROBE],
    };
  }
}
