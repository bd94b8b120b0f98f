import { Default, Description, find as finding, FOUND_TYPES, Int, OneOf, Optional, Str } from '@signalbox/contracts';
import { tool } from '../tool.js';

class Find {
  @Str(1, 200) @Description('Beginning of a name or of a word in it, or a whole id') q!: string;
  @OneOf(FOUND_TYPES) @Optional() type?: string;
  @Int(1, 100) @Default(25) limit!: number;
}

export const find = tool({
  name: 'find',
  description: 'Find agents, workflows, monitors, test sets, runs and all else by name or id. Start here.',
  scope: 'read',
  input: Find,
  target: ({ q }) => q,
  async run({ q, type, limit }, calls) {
    const found = await calls.call(finding.endpoints.findResources, { q, limit, ...(type ? { types: [type] } : {}) });
    const data = { source: 'find', text: JSON.stringify(found), more: () => 'narrow it with q, type or limit' };
    return { says: [`${found.length} found`], data };
  },
});
