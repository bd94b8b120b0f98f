import { Operator } from './operator.js';

/** Works once, within five minutes. The ticket is in the fragment, which reaches no server and no log. */
export function signInLink(natsUrl: string, origin: string, company: number | null): Promise<string> {
  return Operator.during(natsUrl, async (operator) => {
    const companyId = company ?? (await operator.listCompanies())[0]?.company_id;
    if (companyId === undefined) throw new Error('there is no company yet: signalbox admin create-company --name NAME');
    return `${origin}/sign-in#t=${await operator.createPortalTicket(companyId)}`;
  });
}
