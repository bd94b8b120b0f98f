import { largeTableIndexes, mcpReleasesIndex } from '@signalbox/database';

/** The releases that clients of the Model Context Protocol may call, which are few of all. */
export const McpReleasesIndex1700000009212 = largeTableIndexes('McpReleasesIndex1700000009212', 'workflows', [
  mcpReleasesIndex('workflows', 'workflow'),
]);
