// The order in which commands take words without a name. It is recorded: a field that the contract adds, moves or
// requires later must not change what the words of an existing script mean.

/** A word after the parameters of the path and the required fields is one of these, when the command has it. */
const TEXT_FIELDS = ['message', 'query', 'question', 'q'];

/** Names of the fields of a new command in the order of its words. */
function firstOrder(fields) {
  const names = (matches) => fields.filter(matches).map(({ name }) => name);
  return [
    ...names((field) => field.in === 'path'),
    ...names((field) => field.in !== 'path' && field.required),
    ...names((field) => !field.required && TEXT_FIELDS.includes(field.name)),
  ];
}

/** The recorded order, behind it what the contract requires since. */
export function positionsOf(command, fields, recorded = []) {
  const gone = recorded.filter((name) => !fields.some((field) => field.name === name));
  if (gone.length > 0)
    throw new Error(
      `${command} has no field ${gone.join(', ')} any more: words behind it would move. Say so in the CHANGELOG and take it out of apps/cli/positions.json`,
    );
  return [...recorded, ...firstOrder(fields).filter((name) => !recorded.includes(name))];
}

/** The recorded orders of all commands, `family verb`, with those of new ones. */
export function allPositions({ operations }, recorded) {
  const nameOf = ({ command }) => command.split(' ').slice(1, 3).join(' ');
  return Object.fromEntries(
    operations.map((operation) => {
      const name = nameOf(operation);
      return [name, positionsOf(name, operation.fields, recorded[name])];
    }),
  );
}

/** The text of `apps/cli/positions.json`: one line per command. */
export function positionsFile(positions) {
  const lines = Object.entries(positions).map(([name, order]) => `  ${JSON.stringify(name)}: ${JSON.stringify(order)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
