import { refused, type ResponseFormat, schemaSizeProblem } from '@signalbox/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';

// Only looks at schemas and never compiles one, so no caller's schema can cost more than its length.
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Throws 422 when the answer shall fit a schema that is none, or one that points elsewhere. */
export function requireSchema(format: ResponseFormat | null | undefined): void {
  if (format?.type !== 'json_schema' || !format.json_schema) return;
  const { schema } = format.json_schema;
  const field = 'response_format.json_schema.schema';
  if (typeof schema.$schema === 'string' && !schema.$schema.includes('2020-12'))
    throw refused('the schema is not of draft 2020-12', [{ field, message: 'must be of draft 2020-12' }]);
  if (ajv.validateSchema({ ...schema, $schema: undefined }) !== true)
    throw refused('the schema is not valid', [{ field, message: ajv.errorsText(ajv.errors, { dataVar: 'schema' }) }]);
  const problem = foreignIn(schema) ?? schemaSizeProblem(schema);
  if (problem !== null) throw refused('the schema is not valid', [{ field, message: problem }]);
}

/** What in a schema refers to something that is not in it. */
function foreignIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string' && !child.startsWith('#')) return 'must have local references only';
    if (key === '$data') return 'must not have $data';
    const found = foreignIn(child);
    if (found !== null) return found;
  }
  return null;
}
