import { Serves } from '@signalbox/bus';
import { type Batch, type CallTo, emits, type Handlers, monitors } from '@signalbox/contracts';
import { MonitorTargets } from './targets.repository.js';
import { monitorJobs } from '../jobs.js';
import { ConfigChecks } from './config-checks.js';
import { activateMonitor, pauseMonitor, updateMonitor } from './monitor.js';
import { Monitors } from './monitors.repository.js';

type C = typeof monitors;

@Serves(monitors)
export class MonitorHandlers implements Handlers<C> {
  constructor(
    private readonly monitors: Monitors,
    private readonly targets: MonitorTargets,
    private readonly checks: ConfigChecks,
  ) {}

  listMonitors({ input, caller }: CallTo<C, 'listMonitors'>) {
    return this.monitors.listBy(caller.companyId, input);
  }

  async createMonitor({ input: { shadow_version, ...values }, caller }: CallTo<C, 'createMonitor'>) {
    const config = await this.checks.checked(values.config, caller);
    return this.monitors.create(
      caller,
      { ...values, config, status: 'DRAFT', activated_at: 0 },
      [emits('monitor.created')],
      async (tx) => {
        // A new monitor has no version yet, so this throws.
        if (shadow_version != null) await this.monitors.numberOf(tx, 0, shadow_version);
      },
    );
  }

  getMonitor({ keys }: Batch) {
    return this.monitors.read(keys);
  }

  getMonitorWithoutTargets({ input, caller }: CallTo<C, 'getMonitorWithoutTargets'>) {
    return this.monitors.getWithoutTargets(caller.companyId, input.monitor_id);
  }

  async updateMonitor({ input: { monitor_id, ...change }, caller }: CallTo<C, 'updateMonitor'>) {
    if (change.config) {
      await this.monitors.row(caller.companyId, monitor_id);
      change.config = await this.checks.checked(change.config, caller);
    }
    return this.monitors.change(
      caller,
      monitor_id,
      () => updateMonitor(change),
      async (tx, _row, { set }) => {
        if (set?.shadow_version != null)
          set.shadow_version = await this.monitors.numberOf(tx, monitor_id, set.shadow_version);
        if (set?.alert_rules !== undefined) tx.addJob(monitorJobs.evaluateAlerts, { monitorId: monitor_id });
      },
    );
  }

  deleteMonitor({ input, caller }: CallTo<C, 'deleteMonitor'>) {
    return this.monitors.remove(
      caller,
      input.monitor_id,
      () => ({ events: [emits('monitor.deleted')] }),
      (tx) => this.targets.dropOf(tx, input.monitor_id),
    );
  }

  async activateMonitor({ input, caller }: CallTo<C, 'activateMonitor'>) {
    const { config } = await this.monitors.row(caller.companyId, input.monitor_id);
    const problems = await this.checks.problemsOf(config, caller);
    return this.monitors.change(caller, input.monitor_id, (row) => activateMonitor(row, problems, Date.now()));
  }

  pauseMonitor({ input, caller }: CallTo<C, 'pauseMonitor'>) {
    return this.monitors.change(caller, input.monitor_id, pauseMonitor);
  }

  async validateMonitor({ input, caller }: CallTo<C, 'validateMonitor'>) {
    const { config } = await this.monitors.row(caller.companyId, input.monitor_id);
    const errors = await this.checks.problemsOf(input.config ?? config, caller);
    return { valid: errors.length === 0, errors };
  }
}
