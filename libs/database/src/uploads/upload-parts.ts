import { NOW_MS, openToWorker, protect } from '../schema/schema.js';

export function uploadPartsTable(service: string): string[] {
  const table = `"${service}".upload_parts`;
  return [
    `CREATE TABLE ${table} (
    company_id int NOT NULL,
    upload_id uuid NOT NULL,
    part int NOT NULL,
    content text NOT NULL,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, upload_id, part)
  )`,
    // Read once and then deleted: compression costs more than it saves.
    `ALTER TABLE ${table} ALTER COLUMN content SET STORAGE EXTERNAL`,
    `CREATE INDEX upload_parts_created ON ${table} (date_created)`,
    ...protect(service, 'upload_parts', 'SELECT, INSERT, DELETE'),
    ...openToWorker(service, 'upload_parts', 'SELECT, DELETE'),
  ];
}
