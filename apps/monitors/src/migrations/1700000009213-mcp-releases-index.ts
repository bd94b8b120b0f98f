import { largeTableIndexes, mcpReleasesIndex } from '@signalbox/database';

/** The releases that clients of the Model Context Protocol may call, which are few of all. */
export const McpReleasesIndex1700000009213 = largeTableIndexes('McpReleasesIndex1700000009213', 'monitors', [
  mcpReleasesIndex('monitors', 'monitor'),
]);
