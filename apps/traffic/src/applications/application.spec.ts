import { newApplication, requireEnabled, slugOf, updateApplication } from './application.js';

describe('an application', () => {
  it.each([
    ['Support Bot', 'support-bot'],
    ['  Ünïcode – 2! ', 'unicode-2'],
    ['__x__', 'x'],
    ['日本', '65e5-672c'],
    ['é'.repeat(100), 'e'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('named %p has the slug %p', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    expect(slug).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}$/);
  });

  it('has the slug of its name unless one is given', () => {
    const body = { application_name: 'My App', state: 'ENABLED' as const, meta: {} };
    expect(newApplication(body)).toMatchObject({ application_ref_name: 'my-app', description: null });
    expect(newApplication({ ...body, application_ref_name: 'own' })).toMatchObject({ application_ref_name: 'own' });
  });

  it('changes the fields of an update, and emits nothing for an empty one', () => {
    expect(updateApplication({ description: null })).toEqual({
      set: { description: null },
      events: [{ event: 'application.updated' }],
    });
    expect(updateApplication({})).toEqual({});
  });

  it('refuses calls while it is disabled', () => {
    expect(() => requireEnabled(3, 'DISABLED')).toThrow('application 3 is DISABLED');
    expect(() => requireEnabled(3, 'ENABLED')).not.toThrow();
  });
});
