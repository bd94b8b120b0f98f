// The decisions of docs/api/README.md, over HTTP on one platform; each test uses a separate company.
import './clarifications/agents.js';
import './clarifications/requests.js';
