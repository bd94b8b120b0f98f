import { problemOf } from '../api/problems.js';

/** What went wrong with something that was done; nothing while `error` is null. */
export const Failure = ({ error }: { error: unknown }) =>
  error === null ? null : (
    <p class="error" role="alert">
      {problemOf(error)}
    </p>
  );
