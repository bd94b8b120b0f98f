export interface Secret {
  name: string;
  value: string;
}

/** Throws when one has no value: values are forgotten once they are sent. */
export function secretsOf(secrets: readonly Secret[]): Record<string, string> {
  const named = secrets.map(({ name, value }) => ({ name: name.trim(), value })).filter(({ name }) => name !== '');
  const empty = named.find(({ value }) => value === '');
  if (empty)
    throw new Error(`The secret ${empty.name} has no value. Values are sent once: enter it again, or remove it.`);
  return Object.fromEntries(named.map(({ name, value }) => [name, value]));
}

/** Sent with one call and not stored. */
export function SecretFields({ secrets, change }: { secrets: readonly Secret[]; change: (secrets: Secret[]) => void }) {
  const put = (n: number, part: Partial<Secret>): void =>
    change(secrets.map((secret, each) => (each === n ? { ...secret, ...part } : secret)));
  return (
    <fieldset>
      <legend>Secrets</legend>
      {secrets.map(({ name, value }, n) => (
        <div class="pair" key={n}>
          <input
            aria-label={`Name of secret ${n + 1}`}
            placeholder="NAME"
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => put(n, { name: currentTarget.value })}
          />
          <input
            aria-label={`Value of secret ${n + 1}`}
            type="password"
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => put(n, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="plain"
            aria-label={`Remove secret ${n + 1}`}
            onClick={() => change(secrets.filter((_, each) => each !== n))}
          >
            ✕
          </button>
        </div>
      ))}
      <div class="head">
        <button type="button" onClick={() => change([...secrets, { name: '', value: '' }])}>
          Add a secret
        </button>
        <small class="hint">Sent once with the run, kept nowhere.</small>
      </div>
    </fieldset>
  );
}
