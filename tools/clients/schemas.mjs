// What the generators of clients share: schemas of the document as types of a language.

/** Schemas that the runtime of every client declares itself. */
const OWN = ['Error', 'Pagination'];

export const refName = (schema) => schema.$ref?.split('/').pop();
export const pascal = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** The named schemas that a client declares. */
export const namedSchemas = ({ schemas }) => Object.entries(schemas).filter(([name]) => !OWN.includes(name));

/** The name of the input type of an operation. */
export const inputName = ({ family, verb }) => `${pascal(family)}${pascal(verb)}Input`;

/** Operations by family, in the order of the document. */
export function byFamily(operations) {
  const families = new Map();
  for (const operation of operations) {
    if (!families.has(operation.family)) families.set(operation.family, []);
    families.get(operation.family).push(operation);
  }
  return families;
}

/** The sentences about a field: its description, its default. */
export function remarksOn({ description, default: value }) {
  return [description, value === undefined ? undefined : `Default: ${JSON.stringify(value)}.`]
    .filter(Boolean)
    .join(' ');
}
