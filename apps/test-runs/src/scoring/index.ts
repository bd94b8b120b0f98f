export { ENABLED_CRITERIA, META_MD5 } from './run-scores.sql.js';
export { ScoreRequests } from './score-requests.js';
export { ScoreSummaries } from './score-summaries.repository.js';
export { ScoringWorker } from './scoring-worker.js';
export { ScoringRow } from './scoring.entity.js';
export { ScoringModule } from './scoring.module.js';
export { Scorings } from './scorings.repository.js';
