import { usePortal } from '../../api/portal.js';
import { JsonView } from '../json-view.js';
import { Loaded } from '../loaded.js';

export function HelpAnswer({ question }: { question: string }) {
  const { api } = usePortal();
  return (
    <div class="stack" role="status">
      <Loaded name={['help', question]} load={(signal) => api.search.ask({ question }, { signal })}>
        {({ answer, steps, endpoints, examples, generated_by }) => (
          <>
            <p>{answer}</p>
            {steps.length > 0 && (
              <ol>
                {steps.map((step, n) => (
                  <li key={n}>{step}</li>
                ))}
              </ol>
            )}
            {endpoints.length > 0 && (
              <ul class="plain-list">
                {endpoints.map(({ method, path, why }) => (
                  <li key={`${method} ${path}`}>
                    <a href={`/docs#${method} ${path}`} target="_blank" rel="noopener">
                      <code>
                        {method} {path}
                      </code>
                    </a>{' '}
                    <span class="soft">{why}</span>
                  </li>
                ))}
              </ul>
            )}
            {examples.slice(0, 1).map(({ code, language }) => (
              <JsonView key={language} label={`Example (${language})`} value={code} />
            ))}
            {generated_by === 'model' && <p class="soft">A model wrote this.</p>}
          </>
        )}
      </Loaded>
    </div>
  );
}
