/** A task rests: something else will make its work due again. */
export const SUSPENDED = Symbol('rests');
