// What the chart renders, in one file per thing: Helm is looked for once, and renders each file of values once.
import './chart/values.js';
import './chart/objects.js';
import './chart/pods.js';
import './chart/servers.js';
import './chart/network.js';
import './chart/scaling.js';
import './chart/jobs.js';
import './chart/monitoring.js';
