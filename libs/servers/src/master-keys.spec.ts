import { serviceCredentials, serviceKey } from './credentials.js';
import {
  acceptedLogins,
  type MasterKeys,
  keyedCredentials,
  loginOf,
  routePasswords,
  serviceKeys,
} from './master-keys.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const STEPS: Record<string, MasterKeys> = {
  before: { current: OLD, next: null, previous: null },
  accepting: { current: OLD, next: NEW, previous: null },
  changed: { current: NEW, next: null, previous: OLD },
  after: { current: NEW, next: null, previous: null },
};
const steps = Object.values(STEPS);

describe('a change of the master key', () => {
  it('goes from the logins of the old one to those of the new one', () => {
    expect(loginOf(STEPS.before!, 'agents')).toEqual(serviceCredentials(OLD, 'agents'));
    expect(loginOf(STEPS.changed!, 'agents')).toEqual(keyedCredentials(NEW, 'agents'));
    expect(loginOf(STEPS.after!, 'agents')).toEqual(serviceCredentials(NEW, 'agents'));
  });

  it.each([1, 2, 3])('accepts at step %i the logins of processes of that step and of the one before', (at) => {
    const { plain, keyed } = acceptedLogins(steps[at]!, 'agents');
    for (const process of [steps[at - 1]!, steps[at]!])
      expect([plain, keyed]).toContainEqual(loginOf(process, 'agents'));
  });

  it('ends with no login of the old one', () => {
    const accepted = JSON.stringify(acceptedLogins(STEPS.after!, 'agents'));
    const { password, workerPassword, natsPassword } = serviceCredentials(OLD, 'agents');
    for (const each of [password, workerPassword, natsPassword]) expect(accepted).not.toContain(each);
  });

  it('gives services both keys, that for what is new first', () => {
    const [old, anew] = [OLD, NEW].map((key) => serviceKey(key, 'PROVIDER_SEAL_KEY'));
    expect(steps.map((keys) => serviceKeys(keys, 'PROVIDER_SEAL_KEY'))).toEqual([
      old,
      `${old},${anew}`,
      `${anew},${old}`,
      anew,
    ]);
  });

  it.each([1, 2, 3])('lets a server of the bus of step %i reach those of the step before', (at) => {
    const { password, otherPassword } = routePasswords(steps[at]!);
    expect([password, otherPassword]).toContain(routePasswords(steps[at - 1]!).password);
  });
});
