import { count } from '../rules/formats.js';

export const Progress = ({ label, done, total }: { label: string; done: number; total: number }) => (
  <div class="progress">
    <progress aria-label={label} value={done} max={Math.max(1, total)} />
    <span class="soft">
      {count(done)} of {count(total)}
    </span>
  </div>
);
