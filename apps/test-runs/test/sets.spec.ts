// Criteria and test sets, in one file per thing, on one platform: each test has a company to itself.
import './sets/criteria.js';
import './sets/script-criteria.js';
import './sets/imports.js';
import './sets/items.js';
import './sets/legacy.js';
import './sets/overrides.js';
import './sets/references.js';
import './sets/sets.js';
