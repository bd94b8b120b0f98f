export { AutoTaggedCompanies } from './auto-tagged-companies.js';
export { EvaluatedCompanies } from './evaluated-companies.js';
export { WatchedCompaniesModule } from './watched-companies.module.js';
