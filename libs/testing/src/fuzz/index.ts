// A separate entry point: fast-check takes a second of CPU to load, which specs without random values do not spend.
export { fuzz } from './fuzz.js';
export { mutatedInput } from './inputs.js';
export { objectValue } from './values.js';
