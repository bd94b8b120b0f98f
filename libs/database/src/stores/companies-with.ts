/**
 * The companies that have a row with a condition, by a loose index scan: one look-up finds the next company, one tests
 * the condition. `SELECT DISTINCT`, and some plans of EXISTS, would read every row.
 */
export const companiesWith = (table: string, condition: string): string => `WITH RECURSIVE c(company_id) AS (
    (SELECT company_id FROM ${table} ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.company_id FROM ${table} t WHERE t.company_id > c.company_id ORDER BY t.company_id LIMIT 1)
    FROM c WHERE c.company_id IS NOT NULL)
  SELECT company_id FROM c WHERE company_id IS NOT NULL
    AND (SELECT 1 FROM ${table} t WHERE t.company_id = c.company_id AND ${condition} LIMIT 1) = 1`;
