import type { ComponentChildren } from 'preact';

interface TableProps {
  /** What the table holds, read aloud where it scrolls. */
  label: string;
  columns: readonly string[];
  /** A last column of buttons has a heading for screen readers only. */
  actions?: boolean;
  /** The rows, `<tr>` each. */
  children: ComponentChildren;
}

/** A table that scrolls sideways on a narrow screen, by keyboard as well. */
export const Table = ({ label, columns, actions = false, children }: TableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
          {actions && (
            <th>
              <span class="visually-hidden">What can be done</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
