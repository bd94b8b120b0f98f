import { patternType } from '../fields/field-types.js';

/** A model name as it appears in requests and configurations. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
/** The type of a model name, for fields of any contract. */
export const modelNameType = patternType(MODEL_NAME, 'a model name');
