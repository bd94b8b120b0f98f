import { Consumer, Serves } from '@signalbox/bus';
import {
  type AgentRecord,
  type CallTo,
  emits,
  type EventEnvelope,
  type Gone,
  type Handlers,
  monitorConsumers,
  monitorTargets,
  type WorkflowRecord,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { Monitors, MonitorTargets } from '../monitors/index.js';
import { requireOf, switchTarget, updateTarget } from './target.js';
import { TargetResources } from './target-resources.js';

type C = typeof monitorTargets;
type Path = CallTo<C, 'getMonitorTarget'>;

@Serves(monitorTargets)
export class MonitorTargetHandlers implements Handlers<C> {
  constructor(
    private readonly targets: MonitorTargets,
    private readonly monitors: Monitors,
    private readonly resources: TargetResources,
  ) {}

  async listMonitorTargets({ input, caller }: CallTo<C, 'listMonitorTargets'>) {
    await this.monitors.row(caller.companyId, input.monitor_id);
    return this.targets.listBy(caller.companyId, input);
  }

  async attachMonitorTarget({ input, caller }: CallTo<C, 'attachMonitorTarget'>) {
    await this.monitors.row(caller.companyId, input.monitor_id);
    const named = await this.resources.nameOf(input.target_type, input.target_id, caller);
    return this.targets.attach(caller, { ...input, ...named }, (tx) => this.monitors.hold(tx, input.monitor_id));
  }

  getMonitorTarget({ input, caller }: Path) {
    return this.targets.getOf(caller.companyId, input.monitor_id, input.monitor_target_id);
  }

  updateMonitorTarget({ input, caller }: CallTo<C, 'updateMonitorTarget'>) {
    const { monitor_id, monitor_target_id, ...change } = input;
    return this.targets.change(caller, monitor_target_id, (row) => {
      requireOf(monitor_id, row);
      return updateTarget(change);
    });
  }

  detachMonitorTarget({ input, caller }: Path) {
    return this.targets.remove(caller, input.monitor_target_id, (row) => {
      requireOf(input.monitor_id, row);
      return { events: [emits('monitor_target.detached')] };
    });
  }

  enableMonitorTarget(call: Path) {
    return this.switch(call, true);
  }

  disableMonitorTarget(call: Path) {
    return this.switch(call, false);
  }

  listMonitorsByTarget({ input, caller }: CallTo<C, 'listMonitorsByTarget'>) {
    return this.targets.listByTarget(caller.companyId, input.target_type, input.target_id, input.enabled_only);
  }

  @Consumer(monitorConsumers.intentDeleted)
  async leaveIntent({ resource }: EventEnvelope<Gone>, tx: Tx): Promise<void> {
    await this.targets.detachAll(tx, 'intent', Number(resource.id));
  }

  @Consumer(monitorConsumers.agentDeleted)
  async leaveAgent({ resource }: EventEnvelope<Gone>, tx: Tx): Promise<void> {
    await this.targets.detachAll(tx, 'agent', Number(resource.id));
  }

  @Consumer(monitorConsumers.agentUpdated)
  async followAgent({ data }: EventEnvelope<AgentRecord>, tx: Tx): Promise<void> {
    await this.targets.rename(tx, 'agent', { ...data, name: data.agent_name });
  }

  @Consumer(monitorConsumers.workflowDeleted)
  async leaveWorkflow({ resource }: EventEnvelope<Gone>, tx: Tx): Promise<void> {
    await this.targets.detachAll(tx, 'workflow', Number(resource.id));
  }

  @Consumer(monitorConsumers.workflowUpdated)
  async followWorkflow({ data }: EventEnvelope<WorkflowRecord>, tx: Tx): Promise<void> {
    await this.targets.rename(tx, 'workflow', { ...data, name: data.workflow_name });
  }

  private switch({ input, caller }: Path, enabled: boolean) {
    return this.targets.change(caller, input.monitor_target_id, (row) => {
      requireOf(input.monitor_id, row);
      return switchTarget(row, enabled);
    });
  }
}
