import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

it('an unhandled rejection is logged and ends the process with code 1', async () => {
  const program = fileURLToPath(new URL('crashing-service.js', import.meta.url));
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(process.execPath, [program], { timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    ),
  );
  expect([code, output]).toEqual([1, expect.stringMatching(/unhandled rejection/)]);
  expect(output).toContain('nobody handles this');
});
