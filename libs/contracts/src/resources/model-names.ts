import { patternType } from '../fields/field-types.js';

/** A model name as it appears in requests and configurations. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
/** The type of a model name, for fields of any contract. */
export const modelNameType = patternType(MODEL_NAME, 'a model name');

const WORKFLOW = 'workflow:[a-z0-9][a-z0-9_-]{0,63}(@[A-Za-z0-9._-]{1,64})?';
/** A model, or a workflow that answers in place of one: `workflow:<ref>[@version or release]`. */
export const answererType = patternType(
  new RegExp(`${MODEL_NAME.source}|^${WORKFLOW}$`),
  'a model name, or workflow:<ref> with an optional @version or @release',
);
