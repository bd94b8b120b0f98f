// What is said about agents, in one file per thing, on one platform: each test has a company to itself.
import './definitions/actions.js';
import './definitions/agents.js';
import './definitions/idempotency.js';
import './definitions/limits.js';
import './definitions/manifests/exports.js';
import './definitions/manifests/imports.js';
import './definitions/parts.js';
import './definitions/references.js';
import './definitions/releases.js';
import './definitions/routing.js';
import './definitions/targets.js';
import './definitions/tenancy.js';
import './definitions/versions.js';
