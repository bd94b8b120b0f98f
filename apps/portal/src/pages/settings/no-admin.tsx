import { Empty } from '../../parts/empty.js';

export const NoAdmin = ({ title }: { title: string }) => (
  <div class="page">
    <h1>{title}</h1>
    <Empty title="These are for keys with the scope admin.">
      <a href="/sign-in">Sign in with another key</a>
    </Empty>
  </div>
);
