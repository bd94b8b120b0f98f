import { type BadSettings, readSettings, type Environment } from './settings.js';

function problemsOf(environment: Environment): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    return (error as BadSettings).problems;
  }
}

describe('the settings', () => {
  it('have a default each', () => {
    const settings = readSettings({ DATA_DIR: '/data' });
    expect(settings).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '/data',
      databaseUrl: null,
      directDatabaseUrl: null,
      natsUrl: null,
      objectStoreUrl: 'file:/data/objects',
      publicUrl: 'http://127.0.0.1:3000',
      invokeTimeoutSeconds: 120,
      rateLimitRps: 0,
      logLevel: 'info',
    });
  });

  it('are reported all at once when they are wrong, without repeating a value that may be a secret', () => {
    const problems = problemsOf({
      PORT: '0',
      MASTER_KEY: 'short',
      DATABASE_URL: 'mysql://u:secret@h',
      RATE_LIMIT_RPS: '-1',
    });
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'MASTER_KEY',
      'RATE_LIMIT_RPS',
    ]);
    expect(problems.join()).not.toMatch(/secret|short/);
  });

  it.each(['0.5', '1e2', '0x10'])('refuse the number %s, as the services do', (number) =>
    expect(problemsOf({ RATE_LIMIT_RPS: number, INVOKE_TIMEOUT_SECONDS: '60' })).toEqual([
      'RATE_LIMIT_RPS must be a whole number from 0 to 1000000',
    ]),
  );

  it.each(['127.0.0.1:8080', '10.0.0.0/8', 'model.internal:443, 192.168.0.0/16', '[::1]:80', 'fd00::/8'])(
    'accept %s as allowed addresses',
    (list) => expect(problemsOf({ EGRESS_ALLOW: list })).toEqual([]),
  );

  it.each(['model.internal', '10.0.0.0/33', 'host:0', 'host:99999', 'a,,b:1', 'http://h:1', '10.0.0.0/8/8'])(
    'refuse %s as allowed addresses',
    (list) => expect(problemsOf({ EGRESS_ALLOW: list })).toHaveLength(1),
  );

  it('treat an empty value as absent', () => {
    expect(readSettings({ PORT: '', HOST: ' ' })).toMatchObject({ port: 3000, host: '127.0.0.1' });
  });

  it('derive a public address that a client can use, whatever the listener binds', () => {
    expect(readSettings({ HOST: '0.0.0.0', PORT: '81' }).publicUrl).toBe('http://127.0.0.1:81');
    expect(readSettings({ HOST: '::1', PORT: '81' }).publicUrl).toBe('http://[::1]:81');
    expect(readSettings({ PUBLIC_URL: 'https://box.example/' }).publicUrl).toBe('https://box.example');
  });
});
