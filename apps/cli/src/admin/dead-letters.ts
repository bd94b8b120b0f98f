import { DEAD_LETTER_CONTRACTS, type DeadLetter, type ReplayedDeadLetters } from '@signalbox/contracts';
import type { Settings } from '../settings/settings.js';
import { busAddress } from '../launcher/bus-address.js';
import { Operator } from '../operator/operator.js';
import { BadUsage, type Command, type Options } from '../usage.js';

/** The services with messages of their own. */
export const SERVICES = DEAD_LETTER_CONTRACTS.map(({ service }) => service);

/** The service that the options name. */
export function serviceOf(options: Options): string {
  const service = options.get('service');
  if (!SERVICES.includes(service)) throw new BadUsage(`--service must be one of ${SERVICES.join(', ')}`);
  return service;
}

const during = async <T>(settings: Settings, work: (operator: Operator) => Promise<T>): Promise<T> =>
  Operator.during(await busAddress(settings), work);

interface Selection {
  service: string;
  consumer: string | undefined;
  id: number | null;
}

function selectionOf(options: Options): Selection {
  if (options.has('all') === (options.find('id') !== null)) throw new BadUsage('give either --id ID or --all');
  const consumer = options.find('consumer') ?? undefined;
  if (consumer !== undefined && !options.has('all')) throw new BadUsage('--consumer goes with --all');
  return { service: serviceOf(options), consumer, id: options.has('all') ? null : options.id('id') };
}

/** Letters that exist now; those added meanwhile are left. */
async function* pagesOf(
  operator: Operator,
  { service, consumer }: Omit<Selection, 'id'>,
): AsyncGenerator<DeadLetter[]> {
  for (let after = 0; ;) {
    const letters = await operator.deadLetters(service, { after, ...(consumer === undefined ? {} : { consumer }) });
    if (letters.length === 0) return;
    after = letters.at(-1)?.id ?? after;
    yield letters;
  }
}

/** All are read first: a letter that is refused again is a new one. */
async function eachPage(operator: Operator, selection: Selection, act: (ids: number[]) => Promise<void>) {
  if (selection.id !== null) return act([selection.id]);
  const pages: number[][] = [];
  for await (const letters of pagesOf(operator, selection)) pages.push(letters.map(({ id }) => id));
  for (const ids of pages) await act(ids);
}

const SELECTION = {
  texts: ['service', 'id', 'consumer'],
  switches: ['all'],
};

export const DEAD_LETTER_COMMANDS: Record<`dead-letters ${'list' | 'replay' | 'drop'}`, Command> = {
  'dead-letters list': {
    texts: ['service', 'consumer'],
    run: (options, settings) => {
      const services = options.find('service') === null ? SERVICES : [serviceOf(options)];
      const consumer = options.find('consumer') ?? undefined;
      return during(settings, async (operator) => {
        const found: (DeadLetter & { service: string })[] = [];
        for (const service of services)
          for await (const letters of pagesOf(operator, { service, consumer }))
            found.push(...letters.map((letter) => ({ service, ...letter })));
        return found;
      });
    },
  },
  'dead-letters replay': {
    ...SELECTION,
    run: (options, settings) => {
      const selection = selectionOf(options);
      return during(settings, async (operator) => {
        const outcome: ReplayedDeadLetters = { replayed: [], failed: [] };
        await eachPage(operator, selection, async (ids) => {
          const { replayed, failed } = await operator.replayDeadLetters(selection.service, ids);
          outcome.replayed.push(...replayed);
          outcome.failed.push(...failed);
        });
        return outcome;
      });
    },
  },
  'dead-letters drop': {
    ...SELECTION,
    run: (options, settings) => {
      const selection = selectionOf(options);
      return during(settings, async (operator) => {
        const dropped: number[] = [];
        await eachPage(operator, selection, async (ids) => {
          dropped.push(...(await operator.dropDeadLetters(selection.service, ids)));
        });
        return { dropped };
      });
    },
  },
};
