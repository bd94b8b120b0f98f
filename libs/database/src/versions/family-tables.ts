export interface FamilyNames {
  schema: string;
  /** Resource type of events and audit entries, and the noun in messages. */
  type: 'agent' | 'workflow' | 'monitor';
  parent: string;
  nameColumn: string;
  parentColumn: string;
  /** As in `<prefix>_versions`, `<prefix>_releases`, `<prefix>_release_moves`. */
  prefix: string;
  /** Snapshot fields with the schemas of a tool; without them releases are not tools. */
  mcp?: { input: string; output: string };
  /** Further columns of versions, as SQL over `$6`, the stored snapshot. */
  derived?: Readonly<Record<string, string>>;
}

export interface FamilyTables extends FamilyNames {
  versions: string;
  releases: string;
  moves: string;
  parents: string;
}

export const tablesOf = (names: FamilyNames): FamilyTables => {
  const { schema, prefix, parent } = names;
  return {
    ...names,
    versions: `"${schema}".${prefix}_versions`,
    releases: `"${schema}".${prefix}_releases`,
    moves: `"${schema}".${prefix}_release_moves`,
    parents: `"${schema}".${parent}`,
  };
};
