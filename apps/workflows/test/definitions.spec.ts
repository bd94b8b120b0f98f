// Definitions of workflows, in one file per topic, on one platform: each test has a separate company.
import './definitions/bindings.js';
import './definitions/manifests.js';
import './definitions/references.js';
import './definitions/scripts.js';
import './definitions/versions.js';
import './definitions/workflows.js';
