'use strict';

const SHOWN = ['get', 'post', 'put', 'delete'];
const find = (id) => document.getElementById(id);
let schemas = {};

/** An element; text is always set as text, so nothing of the document can become markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'class') element.className = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const resolve = (schema) => (schema?.$ref ? (schemas[schema.$ref.split('/').pop()] ?? {}) : (schema ?? {}));
const nameOf = (schema) => schema?.$ref?.split('/').pop();

/** A schema without its null alternative, and whether it had one. */
function bare(schema) {
  const options = schema.anyOf ?? schema.oneOf;
  if (!options) return { schema, nullable: false };
  const rest = options.filter((option) => option.type !== 'null');
  const nullable = rest.length < options.length;
  return { schema: rest.length === 1 ? rest[0] : { ...schema, anyOf: rest, oneOf: undefined }, nullable };
}

function typeOf(schema) {
  const { schema: inner, nullable } = bare(schema);
  const end = nullable ? ' or null' : '';
  if (inner.$ref) return nameOf(inner) + end;
  if (inner.anyOf) return inner.anyOf.map(typeOf).join(' or ') + end;
  if (inner.type === 'array') return `list of ${typeOf(inner.items ?? {})}${end}`;
  if (inner.type === 'object' && inner.additionalProperties?.type)
    return `map to ${typeOf(inner.additionalProperties)}${end}`;
  return (inner.type ?? 'any JSON') + end;
}

function boundsOf(schema) {
  const { schema: inner } = bare(schema);
  const notes = [];
  if (schema.description) notes.push(schema.description);
  const options = inner.enum ?? inner.items?.enum;
  if (options) notes.push(`one of ${options.join(', ')}`);
  if (schema.default !== undefined) notes.push(`default ${JSON.stringify(schema.default)}`);
  const low = inner.minimum,
    high = inner.maximum;
  const wide = high === 2147483647 || high === Number.MAX_SAFE_INTEGER;
  if (low !== undefined && high !== undefined && !wide) notes.push(`${low} to ${high}`);
  else if (low !== undefined && low !== 1 && low !== 0) notes.push(`at least ${low}`);
  if (inner.maxLength !== undefined) notes.push(`${inner.minLength ?? 0} to ${inner.maxLength} characters`);
  if (inner.pattern) notes.push(`matches ${inner.pattern}`);
  return notes.join(' · ');
}

/** The object whose fields can be unfolded below a schema, if any. */
function objectIn(schema) {
  const { schema: inner } = bare(schema);
  const target = inner.type === 'array' ? bare(inner.items ?? {}).schema : inner;
  const object = resolve(target);
  const held = object.additionalProperties?.$ref ? resolve(object.additionalProperties) : object;
  return held.properties ? held : held.anyOf || held.oneOf ? { variants: held.anyOf ?? held.oneOf } : null;
}

/** Unfolded only when asked for: schemas may contain each other. */
function nest(title, fill) {
  const details = make('details', { class: 'nest' }, make('summary', {}, title));
  details.addEventListener('toggle', () => details.children.length < 2 && details.append(fill()), { once: true });
  return details;
}

function fieldRow(name, schema, required) {
  const inside = objectIn(schema);
  const notes = boundsOf(schema);
  const row = make(
    'div',
    { class: 'row' },
    make('span', { class: 'name' }, name),
    make('span', { class: 'type' }, typeOf(schema)),
  );
  if (required) row.append(make('span', { class: 'need' }, 'required'));
  if (notes) row.append(make('span', { class: 'note' }, notes));
  const field = make('div', { class: 'field' }, row);
  if (inside?.properties) field.append(nest('fields', () => fieldList(inside)));
  return field;
}

function fieldList(object) {
  const required = new Set(object.required ?? []);
  const list = make('div', { class: 'fields' });
  for (const [name, schema] of Object.entries(object.properties ?? {}))
    list.append(fieldRow(name, schema, required.has(name)));
  return list;
}

function parameterList(parameters) {
  const list = make('div', { class: 'fields' });
  for (const { name, schema, required } of parameters) list.append(fieldRow(name, schema, required));
  return list;
}

const bodyOf = (operation) => operation.requestBody?.content?.['application/json']?.schema;

function exampleOf(schema, depth = 0) {
  const { schema: inner, nullable } = bare(schema);
  const actual = resolve(inner);
  if (schema.default !== undefined) return schema.default;
  if (nullable && depth > 0) return null;
  if (actual.enum) return actual.enum[0];
  if (actual.properties) {
    const required = new Set(actual.required ?? []);
    const wanted = Object.entries(actual.properties).filter(([name]) => required.has(name));
    return depth > 3 ? {} : Object.fromEntries(wanted.map(([name, child]) => [name, exampleOf(child, depth + 1)]));
  }
  return { array: [], object: {}, integer: 1, number: 0, boolean: true, string: '' }[actual.type] ?? null;
}

/** JSON with its words coloured. */
function coloured(text) {
  const pre = make('pre');
  const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let at = 0;
  for (const match of text.matchAll(token)) {
    pre.append(text.slice(at, match.index));
    const kind = match[2] ? '' : match[1] ? 's' : match[3] ? 'w' : 'n';
    pre.append(kind ? make('span', { class: kind }, match[0]) : match[0]);
    at = match.index + match[0].length;
  }
  pre.append(text.slice(at));
  return pre;
}

async function send(method, path, inputs, area, result, button) {
  let url = path;
  const query = new URLSearchParams();
  for (const { where, name, input } of inputs) {
    if (where === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value !== '') query.set(name, input.value);
  }
  const whole = `${url}${query.size ? `?${query}` : ''}`;
  const headers = {};
  const key = find('key').value.trim();
  if (key) headers['X-Service-Api-Key'] = key;
  if (area) headers['Content-Type'] = 'application/json';
  button.disabled = true;
  const started = performance.now();
  try {
    const response = await fetch(whole, { method: method.toUpperCase(), headers, body: area?.value || undefined });
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      /* not JSON: shown as it is */
    }
    result.replaceChildren(
      make(
        'div',
        { class: 'line' },
        make('span', { class: response.ok ? 'good' : 'bad' }, String(response.status)),
        make('span', {}, `${ms} ms`),
        make('span', { class: 'mono' }, whole),
      ),
      shown ? coloured(shown) : '',
    );
  } catch (error) {
    result.replaceChildren(make('div', { class: 'line' }, make('span', { class: 'bad' }, String(error))));
  } finally {
    button.disabled = false;
  }
}

function tryOut(method, path, operation) {
  const box = make('form', { class: 'try' }, make('h3', {}, 'Try it'));
  const inputs = (operation.parameters ?? []).map(({ name, in: where, schema, required }) => {
    const placeholder = schema.default === undefined ? typeOf(schema) : String(schema.default);
    const input = make('input', { placeholder, required: required ? '' : false, spellcheck: 'false' });
    box.append(make('label', {}, make('span', {}, name), input));
    return { name, where, input };
  });
  const schema = bodyOf(operation);
  const area = schema ? make('textarea', { spellcheck: 'false', 'aria-label': 'Body' }) : null;
  if (area) {
    area.value = JSON.stringify(exampleOf(schema), null, 2);
    box.append(make('label', {}, make('span', {}, 'body'), area));
  }
  const button = make('button', { class: 'send', type: 'submit' }, 'Send');
  const result = make('div', { class: 'result', 'aria-live': 'polite' });
  box.append(button, result);
  box.addEventListener('submit', (event) => {
    event.preventDefault();
    // What is outside the prefix names its own server.
    void send(method, (operation.servers ? '' : '/api/v1') + path, inputs, area, result, button);
  });
  return box;
}

function replyOf(operation) {
  const content = operation.responses?.['200']?.content ?? {};
  const [[type, { schema }] = ['', {}]] = Object.entries(content);
  if (type !== 'application/json') return { title: `Reply (${type || 'empty'})`, fields: objectIn(schema ?? {}) };
  const data = schema.properties?.data ?? schema;
  const paged = schema.properties?.pagination ? ', paged' : '';
  return { title: `Reply: ${typeOf(data)}${paged}`, fields: objectIn(data) };
}

function describe(method, path, operation) {
  const left = make('div');
  const tags = make('div', { class: 'tags' });
  const scope = /^Scope: (.*)\.$/.exec(operation.description ?? '')?.[1];
  tags.append(
    make('span', { class: 'tag' }, scope === undefined ? 'no key' : scope === 'any' ? 'any key' : `scope ${scope}`),
  );
  if (operation.security?.some((kind) => kind.bearer)) tags.append(make('span', { class: 'tag' }, 'bearer accepted'));
  left.append(tags);
  const parameters = operation.parameters ?? [];
  for (const where of ['path', 'query']) {
    const some = parameters.filter((parameter) => parameter.in === where);
    if (some.length) left.append(make('h3', {}, where), parameterList(some));
  }
  const body = bodyOf(operation);
  if (body) left.append(make('h3', {}, 'Body'), fieldList(resolve(body)));
  const reply = replyOf(operation);
  left.append(make('h3', { class: 'reply' }, reply.title));
  if (reply.fields?.properties) left.append(nest('fields', () => fieldList(reply.fields)));
  return make('div', { class: 'body' }, left, tryOut(method, path, operation));
}

function pathText(path) {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? make('i', {}, part) : part));
  return make('span', { class: 'path' }, ...parts);
}

function entry(method, path, operation) {
  const details = make(
    'details',
    { class: 'op', id: operation.operationId },
    make(
      'summary',
      {},
      make('span', { class: `badge verb-${method}` }, method.toUpperCase()),
      pathText(path),
      make('span', { class: 'says' }, operation.summary),
    ),
  );
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length < 2) details.append(describe(method, path, operation));
  });
  details.dataset.words = `${method} ${path} ${operation.summary} ${operation.tags.join(' ')}`.toLowerCase();
  return details;
}

/** Opens the endpoint that the address names; any other text there narrows the list. */
function openTarget() {
  const named = decodeURIComponent(location.hash.slice(1));
  const target = named === '' ? null : find(named);
  if (target?.matches?.('details.op')) {
    target.open = true;
    target.scrollIntoView();
  } else if (named !== '') {
    find('search').value = named;
    filter(named);
  }
}

function filter(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (element) => words.every((word) => element.dataset.words.includes(word));
  for (const op of document.querySelectorAll('details.op, nav a')) op.hidden = !matches(op);
  for (const section of document.querySelectorAll('section'))
    section.hidden = !section.querySelector('details.op:not([hidden])');
  for (const group of document.querySelectorAll('nav div')) group.hidden = !group.querySelector('a:not([hidden])');
  find('nothing').hidden = Boolean(document.querySelector('section:not([hidden])'));
}

function show(api) {
  schemas = api.components.schemas;
  const groups = new Map(api.tags.map(({ name }) => [name, []]));
  for (const [path, item] of Object.entries(api.paths))
    for (const method of SHOWN) if (item[method]) groups.get(item[method].tags[0])?.push([method, path, item[method]]);
  const count = [...groups.values()].flat().length;
  find('content').append(
    make(
      'div',
      { class: 'intro' },
      make('h1', {}, api.info.title),
      make('p', {}, api.info.description),
      make(
        'p',
        {},
        'Every call carries an API key. Type yours above to try endpoints from this page; it stays in this tab.',
      ),
      make(
        'div',
        { class: 'facts' },
        make('span', {}, 'Base ', make('code', {}, `${location.origin}/api/v1`)),
        make('span', {}, `Version ${api.info.version}`),
        make('span', {}, `${count} endpoints`),
        make('span', {}, 'PUT also as PATCH'),
        make('a', { href: '/api/v1/openapi.json' }, 'OpenAPI document ↗'),
      ),
    ),
  );
  for (const [tag, operations] of groups) {
    if (operations.length === 0) continue;
    const section = make('section', {}, make('h2', {}, tag, make('small', {}, `${operations.length}`)));
    const group = make('div', {}, make('h2', {}, tag));
    for (const [method, path, operation] of operations) {
      const op = entry(method, path, operation);
      section.append(op);
      const link = make(
        'a',
        { href: `#${operation.operationId}` },
        make('span', { class: `verb verb-${method}` }, method === 'delete' ? 'DEL' : method.toUpperCase()),
        make('span', {}, operation.summary),
      );
      link.dataset.words = op.dataset.words;
      link.addEventListener('click', () => setTimeout(openTarget));
      group.append(link);
    }
    find('content').append(section);
    find('nav').append(group);
  }
  find('content').append(make('p', { class: 'none', id: 'nothing', hidden: '' }, 'No endpoint matches.'));
  find('loading').remove();
  openTarget();
}

function setTheme(dark) {
  document.documentElement.classList.toggle('dark', dark);
}
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
setTheme(prefersDark.matches);
prefersDark.addEventListener('change', ({ matches }) => setTheme(matches));
find('theme').addEventListener('click', () => setTheme(!document.documentElement.classList.contains('dark')));
find('search').addEventListener('input', ({ target }) => filter(target.value));
addEventListener('hashchange', openTarget);
addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement?.tagName ?? '')) {
    event.preventDefault();
    find('search').focus();
  }
});
fetch('/api/v1/openapi.json')
  .then((response) => response.json())
  .then(show)
  .catch((error) => (find('loading').textContent = `The document could not be read: ${error.message}`));
