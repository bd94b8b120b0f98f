import { Injectable } from '@nestjs/common';
import { SecretBag } from '@signalbox/egress';
import { SuspendedRuns } from '../work/suspended-runs.js';
import { sealFor, type SealingKeys } from './sealing.js';
import { SecretHolder } from './secret-holder.js';

interface TransferredRun {
  id: string;
  holder: string;
  uses: number;
  /** Null for a run that is not suspended. */
  company_id: number | null;
  secrets: Record<string, string>;
  hook_keys: Record<string, string>;
}

@Injectable()
export class SecretTransfer {
  constructor(
    private readonly secrets: SecretHolder,
    private readonly suspended: SuspendedRuns,
  ) {}

  sealed(holders: readonly string[], publicKey: string, context: string): string[] {
    return this.secrets.runsOf(holders).map(([id, { bag, uses, holder, hookKeys }]) =>
      bag.sealed((secrets) => {
        const hook_keys = Object.fromEntries(hookKeys);
        const run: TransferredRun = { id, holder, uses, company_id: this.suspended.companyOf(id), secrets, hook_keys };
        return sealFor(publicKey, JSON.stringify(run), context);
      }),
    );
  }

  adopt(keys: SealingKeys, sealed: readonly string[], context: string): void {
    for (const text of sealed) {
      const { id, holder, uses, company_id, secrets, hook_keys } = JSON.parse(
        keys.open(text, context),
      ) as TransferredRun;
      this.secrets.adopt(id, {
        bag: new SecretBag(secrets),
        uses,
        holder,
        hookKeys: new Map(Object.entries(hook_keys)),
      });
      if (company_id !== null) this.suspended.suspend(company_id, id);
    }
  }

  /** After another process has taken the holder ids over. */
  forget(holders: readonly string[]): void {
    for (const [id] of this.secrets.runsOf(holders)) {
      this.suspended.resume(id);
      this.secrets.forget(id);
    }
  }
}
