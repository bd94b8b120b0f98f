/** The states of a test run. */
export const TEST_RUN_STATES = ['CREATED', 'RUNNING', 'COMPLETED'] as const;
/** The state of a test run. */
export type TestRunStatus = (typeof TEST_RUN_STATES)[number];
/** The states of a scoring. */
export const SCORING_STATES = ['SCORING', 'SCORED', 'FAILED'] as const;
/** The state of a scoring. */
export type ScoringStatus = (typeof SCORING_STATES)[number];
