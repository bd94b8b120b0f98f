import type { Sentinel } from '@signalbox/sdk';
import type { Listing } from '../../declared/declaration.js';
import { listPageWith } from '../../declared/pages.js';
import { Lamp } from '../../parts/lamp.js';
import { oneLine } from '../../rules/formats.js';
import { choiceOf, oneOf, SEARCH } from '../declared/fields.js';
import { NewSentinel } from './new-sentinel.js';
import { SEVERITIES } from './severities.js';
import { CHANGED } from '../declared/columns.js';

const SENTINELS: Listing<Sentinel> = {
  title: 'Sentinels',
  noun: 'sentinel',
  about:
    'There is no sentinel yet. A sentinel judges the answers of an intent group, and can correct them before they go.',
  path: () => '/sentinels',
  idOf: ({ id }) => id,
  columns: [
    { title: 'Name', width: '2fr', cell: ({ sentinel_name }) => sentinel_name },
    { title: 'Looks for', width: '3fr', cell: ({ sentinel_directive }) => oneLine(sentinel_directive.instruction) },
    { title: 'Severity', width: '90px', cell: ({ severity }) => SEVERITIES[severity] ?? severity },
    {
      title: 'Corrects',
      width: '90px',
      cell: ({ sentinel_directive: { correction } }) => (correction ? 'yes' : 'no'),
    },
    { title: 'State', width: '110px', cell: ({ state }) => <Lamp state={state} /> },
    CHANGED,
  ],
  filters: [SEARCH, oneOf('severity', 'Severity', SEVERITIES), choiceOf('state', 'State', ['ENABLED', 'DISABLED'])],
  list: (api, input, _ids, signal) => api.sentinels.list(input, { signal }),
};

export const Sentinels = listPageWith(SENTINELS, NewSentinel);
