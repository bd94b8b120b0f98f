import { Injectable } from '@nestjs/common';
import { invalidField } from '@signalbox/contracts';
import { AllowList, checkTarget, isEgressError } from '@signalbox/egress';
import { Companies } from '../companies/index.js';

/** Private addresses that the operator permits for every company. */
export class OperatorEgressAllowList {
  constructor(readonly entries: string[]) {}
}

@Injectable()
export class WebhookTargets {
  constructor(
    private readonly companies: Companies,
    private readonly operator: OperatorEgressAllowList,
  ) {}

  async allowOf(companyId: number): Promise<string[]> {
    return (await this.companies.profile(companyId)).egress_allow;
  }

  /** Throws 400 for a URL to which nothing could be sent; what its name resolves to is checked by each delivery. */
  async requireAllowed(companyId: number, url: string): Promise<void> {
    const allow = new AllowList([...this.operator.entries, ...(await this.allowOf(companyId))]);
    const target = targetOf(url, allow);
    if (target.protocol !== 'https:' && !allow.lists(target.hostname, Number(target.port || 80)))
      throw invalidField('url', 'must be https: the operator does not allow http to this host');
  }
}

function targetOf(url: string, allow: AllowList): URL {
  try {
    return checkTarget(url, allow);
  } catch (error) {
    throw isEgressError(error) ? invalidField('url', `is refused: ${error.message}`) : error;
  }
}
