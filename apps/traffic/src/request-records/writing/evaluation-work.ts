/** Kind of the work of judging one recorded request. */
export const EVALUATE_WORK = 'evaluate_request';
/** The same, with corrections of faulty answers. */
export const CORRECT_WORK = 'evaluate_and_correct_request';
