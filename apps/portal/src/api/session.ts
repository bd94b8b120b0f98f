export interface Login {
  company_id: number;
  company_name: string;
  key_name: string;
  scopes: string[];
  expires_at: number;
}

const REMEMBERED = 'signalbox.companies';

export function rememberedCompanies(): { id: number; name: string }[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]');
    return Array.isArray(stored) ? (stored as { id: number; name: string }[]) : [];
  } catch {
    return [];
  }
}

export function remember({ company_id, company_name }: Login): void {
  const others = rememberedCompanies().filter(({ id }) => id !== company_id);
  localStorage.setItem(REMEMBERED, JSON.stringify([{ id: company_id, name: company_name }, ...others].slice(0, 20)));
}

async function dataOf<T>(response: Response): Promise<T> {
  const body = (await response.json()) as { data?: T; error?: { message: string } };
  if (!response.ok) throw new Error(response.status === 401 ? 'This key is not valid.' : (body.error?.message ?? ''));
  return body.data as T;
}

/** Throws with a sentence for the user. */
export async function signIn(given: { key: string } | { ticket: string }): Promise<Login> {
  const response = await fetch('/portal/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  });
  return dataOf<Login>(response);
}

export const currentLogin = async (companyId: number): Promise<Login | null> =>
  dataOf<Login | null>(await fetch(`/c/${companyId}/session`));

/** Throws while the session may still be open. */
export async function signOut(companyId: number): Promise<void> {
  const response = await fetch(`/c/${companyId}/session`, { method: 'DELETE' });
  // 401: it has ended already.
  if (!response.ok && response.status !== 401) throw new Error(`the session was not closed: ${response.status}`);
}
