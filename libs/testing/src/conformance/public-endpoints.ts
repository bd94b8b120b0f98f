import { CONTRACTS, type Endpoint } from '@signalbox/contracts';

export const PUBLIC_ENDPOINTS: readonly Endpoint[] = CONTRACTS.flatMap((contract) =>
  Object.values(contract.endpoints),
).filter((endpoint) => endpoint.path !== null);

export const nameOf = (endpoint: Endpoint): string => `${endpoint.contract}.${endpoint.name}`;

export function tableFaults(endpoints: readonly Endpoint[], cases: Readonly<Record<string, unknown>>): string[] {
  const names = endpoints.map(nameOf);
  return [
    ...names
      .filter((name) => !(name in cases))
      .map(
        (name) =>
          `${name} has no case: add a valid input for it to CASES in libs/testing/src/conformance/cases/cases.ts`,
      ),
    ...Object.keys(cases)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is no public endpoint: remove its case`),
  ];
}
