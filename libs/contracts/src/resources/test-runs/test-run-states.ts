export const TEST_RUN_STATES = ['CREATED', 'RUNNING', 'COMPLETED'] as const;
export type TestRunStatus = (typeof TEST_RUN_STATES)[number];
export const SCORING_STATES = ['SCORING', 'SCORED', 'FAILED'] as const;
export type ScoringStatus = (typeof SCORING_STATES)[number];
