import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/**
 * Preloaded into a service (`--import`): on SIGUSR2 appends to the file `EXECUTED_FILES` a JSON list of the URLs of the
 * files of which a function has run since the last SIGUSR2, as one line.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', () =>
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    const executed = coverage.result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count));
    const urls = JSON.stringify(executed.map(({ url }) => url));
    writeFileSync(process.env.EXECUTED_FILES ?? '', `${urls}\n`, { flag: 'a' });
  }),
);
