import type { ComponentChildren } from 'preact';

interface TableProps {
  /** What the table holds, read aloud where it scrolls. */
  label: string;
  columns: readonly string[];
  /** Those of them that hold numbers: their headings stand above these. */
  numbers?: readonly string[];
  /** All columns are equally wide, so that they stand below those of the table above. */
  isEven?: boolean;
  /** A last column of buttons has a heading for screen readers only. */
  actions?: boolean;
  /** The rows, `<tr>` each. */
  children: ComponentChildren;
}

/** A table that scrolls sideways on a narrow screen, by keyboard as well. */
export const Table = ({ label, columns, numbers = [], isEven = false, actions = false, children }: TableProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table class={isEven ? 'even' : ''}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} class={numbers.includes(column) ? 'number' : ''}>
              {column}
            </th>
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
