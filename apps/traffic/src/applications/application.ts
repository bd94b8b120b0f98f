import { ApiError, type applications, type InputOf, type OnOff, emits } from '@signalbox/contracts';
import { overridesOf } from '../config/index.js';

type Body = InputOf<typeof applications.endpoints.createApplication>;
type Change = Omit<InputOf<typeof applications.endpoints.updateApplication>, 'application_id'>;

const MAX_SLUG = 64;

/** The slug of a name without Latin letters and digits consists of its code points. */
export function slugOf(name: string): string {
  const latin = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  const points = [...name].map((point) => point.codePointAt(0)?.toString(16)).join('-');
  const slug = /[a-z0-9]/.test(latin) ? latin.replace(/^-/, '') : points;
  return slug.slice(0, MAX_SLUG).replace(/-+$/, '');
}

export function newApplication({ application_name, config = {}, ...body }: Body) {
  const { application_ref_name = slugOf(application_name), description = null, ...rest } = body;
  return { application_name, application_ref_name, description, config: overridesOf(config), ...rest };
}

/** The reference name never changes. */
export function updateApplication(change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  return Object.keys(set).length > 0 ? { set, events: [emits('application.updated')] } : {};
}

export function requireEnabled(id: number, state: OnOff): void {
  if (state !== 'ENABLED')
    throw new ApiError('conflict', `application ${id} is ${state}`, { code: 'application_disabled' });
}
