import { createHmac } from 'node:crypto';

/** What a service signs in with. */
export interface ServiceCredentials {
  role: string;
  password: string;
  workerRole: string;
  workerPassword: string;
  natsUser: string;
  natsPassword: string;
}

function derive(masterKey: string, purpose: string): string {
  return createHmac('sha256', masterKey).update(purpose).digest('hex');
}

/** Derives a service's roles and passwords from the master key alone, so that nothing has to be stored. */
export function serviceCredentials(masterKey: string, service: string): ServiceCredentials {
  const role = `svc_${service.replaceAll('-', '_')}`;
  const workerRole = `${role}_worker`;
  return {
    role,
    password: derive(masterKey, `postgres:${role}`),
    workerRole,
    workerPassword: derive(masterKey, `postgres:${workerRole}`),
    natsUser: service,
    natsPassword: derive(masterKey, `nats:${service}`),
  };
}
