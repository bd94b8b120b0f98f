export { MonitorAlertRow } from './alert.entity.js';
export { AlertsModule } from './alerts.module.js';
export { MonitorAlerts } from './alerts.repository.js';
