// What api.md 3.7 decided, over HTTP on one platform; each test has a company of its own.
import './clarifications/agents.js';
import './clarifications/requests.js';
