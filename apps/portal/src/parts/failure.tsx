import { problemOf } from '../api/problems.js';

export const Failure = ({ error }: { error: unknown }) =>
  error === null ? null : (
    <p class="error" role="alert">
      {problemOf(error)}
    </p>
  );
