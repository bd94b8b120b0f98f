export const DONE = 0;
/** The command, or what it followed. */
export const FAILED = 1;
export const USAGE = 2;
/** Items of a test run failed; also a conflict, and a run below its bar. */
export const ITEMS_FAILED = 5;
