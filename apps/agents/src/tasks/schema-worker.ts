import { parentPort } from 'node:worker_threads';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** One question: is the schema good, and does the value, when there is one, fit it. */
export interface SchemaQuestion {
  id: number;
  schema: string;
  value?: string;
}
/** Null problems are none. */
export interface SchemaAnswer {
  id: number;
  schemaProblem: string | null;
  valueProblem: string | null;
}

const MAX_KEPT = 100;
const compiled = new Map<string, ValidateFunction>();

function compile(text: string): ValidateFunction {
  const known = compiled.get(text);
  if (known) return known;
  // One instance per schema: no `$id` of one caller can be referred to by another, and nothing is ever loaded.
  const made = new Ajv2020({ strict: false, validateFormats: false, allErrors: false, logger: false }).compile(
    JSON.parse(text) as object,
  );
  if (compiled.size >= MAX_KEPT) compiled.delete(compiled.keys().next().value ?? '');
  compiled.set(text, made);
  return made;
}

function answer({ id, schema, value }: SchemaQuestion): SchemaAnswer {
  let validate: ValidateFunction;
  try {
    validate = compile(schema);
  } catch (error) {
    return { id, schemaProblem: error instanceof Error ? error.message : 'it is not valid', valueProblem: null };
  }
  if (value === undefined || validate(JSON.parse(value))) return { id, schemaProblem: null, valueProblem: null };
  const [first] = validate.errors ?? [];
  const where = first?.instancePath ? `at ${first.instancePath} it ` : 'it ';
  return { id, schemaProblem: null, valueProblem: `${where}${first?.message ?? 'does not fit the schema'}` };
}

// The first compilation loads the meta schema; it is not to be charged to the first caller.
compile('{"type":"object"}');
parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answer(question)));
parentPort?.postMessage('ready');
