// Generates the types and families of the Python client.

import { byFamily, namedSchemas, pascal, refName } from './schemas.mjs';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const IDENTIFIER = /^[A-Za-z_]\w*$/;

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** A name that the language reserves gets an underscore at its end. */
const argument = (name) => (KEYWORDS.has(name) ? `${name}_` : name);
const literal = (value) =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value);
const docstring = (text) => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""`;

function union(types) {
  const unique = [...new Set(types)];
  return unique.length === 1 ? unique[0] : `Union[${unique.join(', ')}]`;
}

/** A JSON schema as a Python type; `name` writes a reference. */
function typeOf(schema, name) {
  if (schema.$ref) return name(refName(schema));
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) return union(choices.map((each) => typeOf(each, name)));
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0], name);
  if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, name)}]`;
  if (schema.type === 'object') {
    const value = typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, name) : 'Any';
    return `Dict[str, ${value}]`;
  }
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[schema.type] ?? 'Any';
}

const HEADER = (about) =>
  `"""${about}\n\nGenerated from the contracts by tools/openapi.mjs; changes belong there.\n"""\n\n`;
const quoted = (name) => JSON.stringify(name);

function membersOf(entries) {
  return entries.map(([field, schema]) => `    ${field}: ${typeOf(schema, (name) => name)}\n`).join('') || '    pass\n';
}

/** Two classes when only some fields are always there: the older supported versions of Python have no other way. */
function declaration([name, schema]) {
  const { properties = {}, required = [], oneOf, anyOf } = schema;
  const entries = Object.entries(properties);
  if (schema.type !== 'object' || oneOf || anyOf || entries.length === 0)
    return { alias: `${name} = ${typeOf(schema, quoted)}\n` };
  if (entries.some(([field]) => !IDENTIFIER.test(field) || KEYWORDS.has(field))) {
    const fields = entries.map(
      ([field, type]) => `${JSON.stringify(field)}: ${JSON.stringify(typeOf(type, (ref) => ref))}`,
    );
    return { class: `${name} = TypedDict("${name}", {${fields.join(', ')}}, total=False)\n` };
  }
  const always = entries.filter(([field]) => required.includes(field));
  const sometimes = entries.filter(([field]) => !required.includes(field));
  if (sometimes.length === 0) return { class: `class ${name}(TypedDict):\n${membersOf(always)}` };
  if (always.length === 0) return { class: `class ${name}(TypedDict, total=False):\n${membersOf(sometimes)}` };
  return {
    class: `class _${name}(TypedDict):\n${membersOf(always)}\n\nclass ${name}(_${name}, total=False):\n${membersOf(sometimes)}`,
  };
}

/** The module of all data types. */
export function pythonTypes(document) {
  const declared = namedSchemas(document).map(declaration);
  const classes = declared.flatMap((each) => each.class ?? []);
  const aliases = declared.flatMap((each) => each.alias ?? []);
  return `${HEADER('The data of the API.')}from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

${[...classes.map((text) => `\n${text}`), ...aliases].join('\n')}`;
}

const inTypes = (name) => `types.${name}`;

function parameters({ fields, uploads, wholeBody, fileInsteadOf }, streamed) {
  const inPath = fields.filter((field) => field.in === 'path');
  const others = fields.filter((field) => field.in !== 'path' && field.name !== 'last_event_id');
  const optional = ({ name, schema }) => `${argument(name)}: ${typeOf(schema, inTypes)} = OMIT`;
  const required = ({ name, schema }) => `${argument(name)}: ${typeOf(schema, inTypes)}`;
  const keywords = [
    ...(wholeBody === undefined ? [] : [`${argument(wholeBody)}: Any`]),
    ...(uploads ? ['file: Union[str, bytes, BinaryIO]'] : []),
    ...others.filter((field) => field.required && field.name !== streamed?.field).map(required),
    ...(streamed ? [`${argument(streamed.field)}: Literal[${literal(streamed.value)}]`] : []),
    ...others.filter((field) => !field.required && field.name !== streamed?.field).map(optional),
    ...(fileInsteadOf ? ['file: Union[str, bytes, BinaryIO] = OMIT'] : []),
    ...(uploads ? [`media_type: str = ${JSON.stringify(uploads[0])}`] : []),
    'options: Optional[CallOptions] = None',
  ];
  return ['self', ...inPath.map(required), '*', ...keywords].join(', ');
}

function dataOf({ fields, wholeBody }) {
  const names = [
    ...fields.map(({ name }) => name).filter((name) => name !== 'last_event_id'),
    ...(wholeBody ? [wholeBody] : []),
  ];
  return `{${names.map((name) => `${JSON.stringify(name)}: ${argument(name)}`).join(', ')}}`;
}

/** What the two clients differ in: the words before their classes, and the type of what a call returns. */
const SYNC = { prefix: '', file: () => 'Download', value: (type) => type };
const ASYNC = {
  prefix: 'Async',
  file: () => 'Coroutine[Any, Any, AsyncDownload]',
  value: (type) => `Coroutine[Any, Any, ${type}]`,
};

function replyType({ shape, reply }, { prefix, file, value }) {
  if (shape === 'file') return file();
  const type = typeOf(reply ?? {}, inTypes);
  if (shape === 'page') return `${prefix}PagedList[${type}]`;
  return shape === 'stream' ? `${prefix}EventStream[${type}]` : value(type);
}

const HELPERS = { page: '_list', stream: '_events', file: '_download', plain: '_plain', data: '_data' };

function bodyOf(operation) {
  const { method, path, shape, uploads, wholeBody, streams, downloads, fileInsteadOf } = operation;
  const route = JSON.stringify(`${method} ${path}`);
  const data = dataOf(operation);
  if (uploads) return `        return self._upload(${route}, ${data}, file, media_type, options)\n`;
  if (fileInsteadOf) return `        return self._form(${route}, ${data}, file, options)\n`;
  const whole = wholeBody === undefined ? '' : `, ${JSON.stringify(wholeBody)}`;
  const call = `return self.${HELPERS[shape]}(${route}, ${data}, options${whole})\n`;
  if (downloads)
    return `        if ${argument(downloads.field)} == ${literal(downloads.value)}:
            return self._download(${route}, ${data}, options)
        ${call}`;
  if (!streams) return `        ${call}`;
  const stream = streams.event ? '_events' : '_chunks';
  return `        if ${argument(streams.field)} == ${literal(streams.value)}:
            return self.${stream}(${route}, ${data}, options)
        ${call}`;
}

/** The operation as it is called for a reply in one piece: no value of its field turns it into a stream. */
function withoutStream({ streams: ofStream, downloads, fields, ...rest }) {
  const streams = ofStream ?? downloads;
  const others = (schema) => {
    const words = schema.enum?.filter((word) => word !== streams.value);
    return { enum: words ?? [false] };
  };
  const changed = fields.map((field) =>
    field.name === streams.field ? { ...field, schema: others(field.schema) } : field,
  );
  return { ...rest, fields: changed };
}

function method(operation, kind) {
  const { verb, summary, scope, streams, downloads, fields } = operation;
  if (fields.some(({ name }) => ['options', 'self'].includes(name)))
    throw new Error(`${verb} has a field named options`);
  const name = argument(snake(verb));
  const about = `        ${docstring(`${summary}.${scope === 'none' || scope === 'any' ? '' : ` Scope: ${scope}.`}`)}\n`;
  const plain = `    def ${name}(${parameters(operation)}) -> ${streams || downloads ? 'Any' : replyType(operation, kind)}:\n${about}${bodyOf(operation)}`;
  if (!streams && !downloads) return plain;
  const events = downloads
    ? kind.file()
    : streams.event
      ? `${kind.prefix}EventStream[${typeOf(streams.event, inTypes)}]`
      : `${kind.prefix}ChunkStream[Dict[str, Any]]`;
  return `    @overload
    def ${name}(${parameters(operation, streams ?? downloads)}) -> ${events}: ...

    @overload
    def ${name}(${parameters(withoutStream(operation))}) -> ${replyType(operation, kind)}: ...

${plain}`;
}

function familiesOf(operations, kind) {
  const families = [...byFamily(operations)];
  const classes = families.map(
    ([family, own]) =>
      `class ${kind.prefix}${pascal(family)}Api(${kind.prefix}Api):\n    """The family ${snake(family).replaceAll('_', ' ')}."""\n\n${own.map((each) => method(each, kind)).join('\n')}`,
  );
  const fields = families.map(
    ([family]) => `        self.${snake(family)} = ${kind.prefix}${pascal(family)}Api(self._transport)\n`,
  );
  return { classes: classes.join('\n\n'), fields: fields.join('') };
}

/** The module of the client and its families. */
export function pythonClient({ operations }) {
  const { classes, fields } = familiesOf(operations, SYNC);
  // A method named like a type of the standard library hides it in the annotations of its class; these are strings.
  return `${HEADER('The client: one attribute per family, one method per endpoint.')}from __future__ import annotations

from typing import Any, BinaryIO, Dict, List, Literal, Optional, Union, overload

from . import types
from ._api import OMIT, Api, find_key, find_url
from ._pages import PagedList
from ._streams import ChunkStream, Download, EventStream
from ._transport import CallOptions, Settings, Transport


${classes}

class Client:
    """
    A client of the platform, which threads may share; a \`with\` block closes its connections.

    Key and address default to the environment variables SIGNALBOX_API_KEY and SIGNALBOX_URL.
    \`timeout\` is in seconds and applies to every single wait for the platform; \`max_retries\` is how often a call is sent
    again after a failure that may pass.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 150.0,
        max_retries: int = 2,
        headers: Optional[Dict[str, str]] = None,
    ) -> None:
        self._transport = Transport(Settings(find_key(api_key), find_url(base_url), timeout, max_retries, headers or {}))
${fields}
    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; later calls are errors."""
        self._transport.close()
`;
}

/** The module of the asynchronous client. */
export function pythonAsyncClient({ operations }) {
  const { classes, fields } = familiesOf(operations, ASYNC);
  return `${HEADER('The asynchronous client: the same families and methods as the other one.')}from __future__ import annotations

from typing import Any, BinaryIO, Coroutine, Dict, List, Literal, Optional, Union, overload

import httpx

from . import types
from ._api import OMIT, find_key, find_url
from ._async_api import AsyncApi, AsyncPagedList
from ._async_streams import AsyncChunkStream, AsyncDownload, AsyncEventStream
from ._async_transport import AsyncTransport
from ._transport import CallOptions, Settings


${classes}

class AsyncClient:
    """
    A client of the platform for asyncio, on httpx; an \`async with\` block closes its connections.

    Calls are awaited; lists, streams of events and of chunks are gone through by \`async for\`. Key and address default to
    the environment variables SIGNALBOX_API_KEY and SIGNALBOX_URL. \`timeout\` is in seconds and applies to every single
    wait for the platform; \`max_retries\` is how often a call is sent again after a failure that may pass.
    \`http_client\` replaces the client of httpx, for certificates or proxies of your own; closing it is up to its owner.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 150.0,
        max_retries: int = 2,
        headers: Optional[Dict[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        settings = Settings(find_key(api_key), find_url(base_url), timeout, max_retries, headers or {})
        self._transport = AsyncTransport(settings, http_client)
${fields}
    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; later calls are errors."""
        await self._transport.close()
`;
}
