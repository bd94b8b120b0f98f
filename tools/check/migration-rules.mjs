// What a migration may not do to tables that exist: they may have millions of rows, and the release before it runs next to it.

const NAME = String.raw`(?:ONLY\s+)?((?:"[^"]+"|\w+)\.(?:"[^"]+"|\w+))`;
const CREATED = new RegExp(String.raw`\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?${NAME}`, 'gi');
const INDEX = new RegExp(
  String.raw`^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?\S+\s+ON\s+${NAME}`,
  'i',
);
const ALTER = new RegExp(String.raw`^ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?${NAME}\s+(.*)$`, 'is');
const DROP_TABLE = /^DROP\s+TABLE\b/i;
const LOCK_TIMEOUT = /\block_timeout\s*(?:=|TO)\s*'?0\b/i;

/** Faults of a clause of ALTER TABLE; one that breaks earlier code is permitted in a migration that says what it requires. */
const CLAUSES = [
  {
    pattern:
      /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)(?=[^,]*\bNOT\s+NULL\b)(?![^,]*\b(?:DEFAULT|GENERATED)\b)/i,
    fault: 'adds a column NOT NULL without DEFAULT, which the release before it does not write',
  },
  {
    pattern: /\bALTER\s+(?:COLUMN\s+)?\S+\s+SET\s+NOT\s+NULL\b/i,
    fault: 'SET NOT NULL reads the table under its strongest lock',
  },
  {
    pattern: /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i,
    fault: 'changes the type of a column, which writes the table anew',
  },
  {
    pattern: /\bADD\s+(?:CONSTRAINT\s+\S+\s+)?(?:CHECK|FOREIGN\s+KEY)\b(?!.*\bNOT\s+VALID\b)/is,
    fault:
      'adds a constraint without NOT VALID, which reads the table under a lock: validate it in a migration of its own',
  },
  {
    pattern: /\bADD\s+(?:CONSTRAINT\s+\S+\s+)?(?:UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b(?!\s+USING\s+INDEX)/i,
    fault: 'adds a constraint that makes an index under a lock: use one that was made CONCURRENTLY',
  },
  { pattern: /\bRENAME\b/i, breaks: true, fault: 'renames what the release before it uses' },
  {
    pattern: /\bDROP\s+(?!CONSTRAINT|DEFAULT|NOT|EXPRESSION|IDENTITY)/i,
    breaks: true,
    fault: 'drops a column that the release before it uses',
  },
];

const bare = (name) => name.replaceAll('"', '').toLowerCase();

function indexFault(text, isNew, inTransaction) {
  const [, concurrently, table] = INDEX.exec(text) ?? [];
  if (table === undefined || isNew(table)) return [];
  // Without the partitions no row is read.
  if (/\sON\s+ONLY\s/i.test(text)) return [];
  if (!concurrently)
    return [`makes an index of ${bare(table)} without CONCURRENTLY, and writers wait: see largeTableIndexes`];
  return inTransaction ? [`makes an index CONCURRENTLY in a transaction: see largeTableIndexes`] : [];
}

function alterFaults(text, isNew, requires) {
  const [, table, clauses] = ALTER.exec(text) ?? [];
  if (table === undefined || isNew(table)) return [];
  // Commas inside of parentheses separate no clauses.
  const flat = clauses.replace(/\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, '()');
  return CLAUSES.filter(({ pattern, breaks }) => pattern.test(flat) && !(breaks && requires)).map(
    ({ fault, breaks }) => `${bare(table)}: ${fault}${breaks ? '; or say what it requires (BreakingMigration)' : ''}`,
  );
}

/** What a migration does that locks tables for long or breaks the release before it. */
export function lintMigration({ migration, statements }) {
  const text = statements.join(';\n');
  const created = new Set([...text.matchAll(CREATED)].map(([, name]) => bare(name)));
  const isNew = (name) => created.has(bare(name));
  const inTransaction = migration.transaction !== false;
  return statements.flatMap((statement) => {
    const trimmed = statement.trim();
    return [
      ...indexFault(trimmed, isNew, inTransaction),
      ...alterFaults(trimmed, isNew, migration.requires),
      ...(DROP_TABLE.test(trimmed) && !migration.requires ? ['drops a table that the release before it uses'] : []),
      ...(LOCK_TIMEOUT.test(trimmed) && inTransaction
        ? ['waits for locks without a limit, and calls behind it: leave lock_timeout as it is']
        : []),
    ];
  });
}
