/** The command did what it was asked. */
export const DONE = 0;
/** It did not, or what it followed has failed. */
export const FAILED = 1;
/** It was called wrongly. */
export const USAGE = 2;
/** A test run ended, and some of its items failed; also a conflict, and a run below its bar. */
export const ITEMS_FAILED = 5;
