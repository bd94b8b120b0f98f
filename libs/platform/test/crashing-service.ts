import { runService } from '@signalbox/platform';

await runService({
  name: 'crashing',
  settings: { LOG_LEVEL: 'info', INVOKE_TIMEOUT_SECONDS: 1 } as never,
  start: async () => {
    setTimeout(() => void Promise.reject(new Error('nobody handles this')), 1);
    // Keeps the process running.
    setInterval(() => undefined, 1000);
    return Promise.resolve({ close: () => Promise.resolve() });
  },
});
