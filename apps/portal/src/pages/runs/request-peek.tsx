import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { answersOf, askedOf, correctionsOf } from '../../rules/request-texts.js';
import { RequestFacts } from './request-facts.js';

export function RequestPeek({ id }: { id: string }) {
  const { api } = usePortal();
  return (
    <Loaded name={['request', id]} load={(signal) => api.requests.get({ request_id: id }, { signal })}>
      {(request) => {
        const corrections = correctionsOf(request);
        return (
          <>
            <div class="bar">
              <Link class="button" href={`/runs/request/${id}`}>
                Open the request
              </Link>
              <Copy text={id} label="Copy the id" />
            </div>
            <RequestFacts request={request} />
            <Messages
              messages={[...askedOf(request), ...(corrections.length > 0 ? corrections : answersOf(request))]}
            />
          </>
        );
      }}
    </Loaded>
  );
}
