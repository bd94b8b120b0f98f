/** Kind of the jobs that judge a batch of runs without a model. */
export const DIRECT_WORK = 'monitor_direct';
/** Kind of the jobs that judge one run by a model; slow judges hold no direct ones up. */
export const JUDGE_WORK = 'monitor_judge';
