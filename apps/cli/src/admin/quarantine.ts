import { Quarantine, requestLogFolders } from '@signalbox/platform';
import type { Settings } from '../settings/settings.js';
import { BadUsage, type Command, type Options } from '../usage.js';

const quarantineOf = ({ dataDir }: Settings): Quarantine => new Quarantine(requestLogFolders(dataDir).quarantine);

async function chosen(options: Options, quarantine: Quarantine): Promise<string[]> {
  if (options.has('all') === (options.find('id') !== null)) throw new BadUsage('give either --id ID or --all');
  return options.has('all') ? quarantine.ids() : [options.get('id')];
}

async function eachOf(options: Options, quarantine: Quarantine, act: (id: string) => Promise<void>) {
  const ids = await chosen(options, quarantine);
  for (const id of ids) await act(id);
  return ids;
}

/** For recorded model calls that the database refuses, in the data directory of this machine. */
export const QUARANTINE_COMMANDS: Record<`${'list' | 'replay' | 'drop'}-quarantined`, Command> = {
  'list-quarantined': {
    texts: [],
    run: async (_options, settings) => {
      const quarantine = quarantineOf(settings);
      const records = await Promise.all((await quarantine.ids()).map((id) => quarantine.read(id)));
      return records
        .sort((one, other) => one.quarantined_at - other.quarantined_at)
        .map(({ line, ...shown }) => ({ ...shown, bytes: Buffer.byteLength(line) }));
    },
  },
  'replay-quarantined': {
    texts: ['id'],
    switches: ['all'],
    run: async (options, settings) => {
      const quarantine = quarantineOf(settings);
      const { spool } = requestLogFolders(settings.dataDir);
      return { replayed: await eachOf(options, quarantine, (id) => quarantine.replay(id, spool)) };
    },
  },
  'drop-quarantined': {
    texts: ['id'],
    switches: ['all'],
    run: async (options, settings) => {
      const quarantine = quarantineOf(settings);
      return { dropped: await eachOf(options, quarantine, (id) => quarantine.drop(id)) };
    },
  },
};
