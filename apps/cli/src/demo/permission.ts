import { Operator } from '../operator/operator.js';

/** Allows one private address for the duration of the work, and removes exactly that permission afterwards. */
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
