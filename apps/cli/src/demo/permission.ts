import { Operator } from '../admin/operator.js';

/** Lets a company call one private place for as long as the work takes, and takes exactly that back. */
export async function whileAllowed<T>(
  natsUrl: string,
  companyId: number,
  place: string,
  work: () => Promise<T>,
): Promise<T> {
  const change = (changed: (places: string[]) => string[]) =>
    Operator.during(natsUrl, async (operator) => {
      const company = (await operator.listCompanies()).find((each) => each.company_id === companyId);
      await operator.allowEgress(companyId, changed(company?.egress_allow ?? []));
    });
  const without = (places: string[]) => places.filter((each) => each !== place);
  await change((places) => [...without(places), place]);
  try {
    return await work();
  } finally {
    await change(without);
  }
}
