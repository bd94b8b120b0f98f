// What is said about transactions, in one file per thing, on one Postgres.
import './transactions/connections.js';
import './transactions/with-company.js';
import './transactions/errors.js';
import './transactions/work.js';
