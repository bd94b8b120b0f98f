// The decisions of api.md 3.7, over HTTP on one platform; each test uses a separate company.
import './clarifications/agents.js';
import './clarifications/requests.js';
