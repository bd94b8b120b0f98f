import { readSettings } from '../settings.js';
import { serviceEnvironment } from './service-environment.js';
import { SERVICES } from './services.js';

const platform = {
  settings: readSettings({ OBJECT_STORE_URL: 's3://key:hidden@store/bucket' }),
  masterKey: 'm'.repeat(32),
  databaseUrl: 'postgres://owner@127.0.0.1:1/signalbox',
  natsUrl: 'nats://127.0.0.1:2',
};

describe('the environment of a service', () => {
  it('names the object store to those alone that keep objects', () => {
    const told = SERVICES.filter((service) => JSON.stringify(serviceEnvironment(platform, service)).includes('hidden'));
    expect(told.map(({ name }) => name)).toEqual(['traffic']);
  });

  it('names a folder below the data directory by default, whatever the directory is called', () => {
    const settings = readSettings({ DATA_DIR: '/data/50% #1' });
    const [service] = SERVICES.filter(({ objects }) => objects);
    const environment = serviceEnvironment({ ...platform, settings }, service!);
    expect(new URL(environment.OBJECT_STORE_URL!).pathname).toBe('/data/50%25%20%231/objects');
  });
});
