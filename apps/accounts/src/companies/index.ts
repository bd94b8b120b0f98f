export { CompaniesModule } from './companies.module.js';
export { Companies } from './companies.repository.js';
export { CompanyRow } from './company.entity.js';
