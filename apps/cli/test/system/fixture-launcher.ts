import { start } from '../../src/launcher/start.js';
import type { Service } from '../../src/launcher/services.js';
import { readSettings } from '../../src/settings/settings.js';

// The real launcher with services that the test created: `node fixture-launcher.js <services as JSON>`.
process.exitCode = await start(readSettings(process.env), JSON.parse(process.argv[2] ?? '[]') as Service[]);
