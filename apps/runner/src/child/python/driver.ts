import { MAX_EVENT_BYTES, MAX_MESSAGE_LENGTH } from '../frames.js';
import { COMPILER } from './compiler.js';

/**
 * Runs scripts inside Pyodide. It reaches the parent through the device `/dev/host`, with the frames of `frames.ts`,
 * and never gets an object of this process. Scripts have a module of their own.
 */
export const DRIVER = `
import ast, builtins, json, os, random, struct, sys, time, traceback, types
import base64, collections, csv, datetime, decimal, hashlib, itertools, math, re, statistics, uuid

HOST = None
REST = None
MAX_LENGTH = 16 * 1024 * 1024
MAX_EVENT = ${MAX_EVENT_BYTES}
MAX_MESSAGE = ${MAX_MESSAGE_LENGTH}
LEVELS = ('debug', 'info', 'warn', 'error')
FILE = 'script.py'


def begin():
    # The memory of this interpreter is a copy of one that every run begins with: only what is read now differs.
    global HOST, REST
    HOST = os.open('/dev/host', os.O_RDWR)
    REST = os.open('/dev/rest', os.O_WRONLY)
    random.seed()
    return sys.version.split()[0]


def send(head, body=''):
    content = (json.dumps(head) + '\\n' + body).encode('utf-8', 'surrogatepass')
    data = struct.pack('<I', len(content)) + content
    while data:
        data = data[os.write(HOST, data):]


def read(count):
    data = b''
    while len(data) < count:
        data += os.read(HOST, count - len(data))
    return data


def receive():
    content = read(struct.unpack('<I', read(4))[0])
    head, _, body = content.partition(b'\\n')
    return json.loads(head), body.decode('utf-8')


def sleep(seconds):
    if not seconds >= 0:
        raise ValueError('sleep length must be non-negative')
    os.write(REST, struct.pack('<d', seconds * 1000))


# That of the interpreter computes until the time is over, and scripts have little processor time.
time.sleep = sleep


class HostError(Exception):
    def __init__(self, message, status=None):
        super().__init__(message)
        self.name = type(self).__name__
        self.message = message
        self.status = status


errors = {}


def error_of(name):
    if name not in errors:
        errors[name] = type(name, (HostError,), {'__module__': 'ctx'})
    return errors[name]


def json_of(value, what, separators=(',', ':')):
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=separators)
    except (TypeError, ValueError) as error:
        raise TypeError(f'{what} is not JSON: {error}') from None
    # Only lone surrogates cannot be encoded; what replaces them is how JSON escapes them.
    return text if text.isascii() else text.encode('utf-8', 'backslashreplace').decode()


# At least as long as the largest float; each run of digits is read once.
LONG_INTEGER = re.compile('(?<![0-9])[0-9]{309}')


def require_float(digits):
    if math.isinf(float(digits)):
        raise OverflowError


def require_numbers(text, what):
    # Readers of JSON, such as the parent, hold numbers as floats, and would get infinity for a larger integer.
    if not LONG_INTEGER.search(text):
        return
    try:
        json.loads(text, parse_int=require_float)
    except OverflowError:
        raise TypeError(f'{what} is not JSON: an integer is larger than a float can be') from None


def text_of(value, what):
    text = json_of(value, what)
    require_numbers(text, what)
    # As JavaScript counts, like the parent.
    length = len(text) if text.isascii() or len(text) > MAX_LENGTH else len(text.encode('utf-16-le')) // 2
    if length > MAX_LENGTH:
        raise ValueError(f'{what} is longer than {MAX_LENGTH} characters as JSON')
    return text


# Reads the system each time, whatever a script does to the module.
unpredictable = random.SystemRandom().random
issued = 0
early = {}


def reply_to(number):
    # The end of a stream may call the host while another call waits: replies to others are kept for them.
    while number not in early:
        head, body = receive()
        early[head.get('id')] = body
    return json.loads(early.pop(number))


def call(member, *args):
    global issued
    issued += 1
    number = issued
    send({'kind': 'call', 'id': number, 'member': member}, text_of(list(args), f'an argument of {member}'))
    reply = reply_to(number)
    failure = reply.get('error')
    if failure:
        raise error_of(failure['name'])(failure['message'], failure.get('status'))
    return reply['value']


def called(member):
    def host_call(*args, **options):
        return call(member, *args, *([options] if options else []))
    return host_call


def stream(*args, **options):
    opened = called('chat.completions.stream')(*args, **options)

    def chunks():
        done = False
        try:
            while not done:
                try:
                    part = call('chat.completions.read', opened)
                except HostError:
                    done = True
                    raise
                done = part['done']
                yield from part['chunks']
        finally:
            if not done:
                call('chat.completions.close', opened)
    return chunks()


def log(level, message):
    if level not in LEVELS:
        raise ValueError('the level of a log line must be debug, info, warn or error')
    text = message if isinstance(message, str) else json_of(message, 'a log message', None)
    send({'kind': 'log', 'level': level, 'timestamp': int(time.time() * 1000)}, text[:MAX_MESSAGE])


def printed(*values, sep=' ', end='', file=None, flush=False):
    log('info', (sep or ' ').join(str(value) for value in values))


def emit(event):
    text = text_of(event, 'an event')
    if len(text.encode()) > MAX_EVENT:
        raise ValueError(f'an event is longer than {MAX_EVENT} bytes as JSON')
    send({'kind': 'emit'}, text)


def context_of(given):
    names = given.pop('secret_names', None) or []
    steps = set()

    def secret(name):
        return call('secrets.get', name) if name in names else None

    def step(name, work):
        if not isinstance(name, str) or name == '':
            raise TypeError('the name of a step must be a string')
        if name in steps:
            raise ValueError(f'the step "{name}" exists already: names of steps are unique in a run')
        steps.add(name)
        begun = call('step.begin', name)
        if begun['done']:
            return begun.get('result')
        result = json.loads(text_of(work(), f'the result of the step "{name}"'))
        call('step.end', name, result)
        return result

    space = types.SimpleNamespace
    known = {'input': None, 'messages': [], 'session_id': None, 'metadata': {}, 'params': {}, 'run': {}}
    data = {**known, **{name: value for name, value in given.items() if value is not None}}
    completions = space(create=called('chat.completions.create'), stream=stream)
    return space(
        **data, log=log, random=unpredictable, emit=emit, step=step, secrets=space(get=secret), chat=space(completions=completions),
        agents=space(invoke=called('agents.invoke')), workflows=space(execute=called('workflows.execute')),
        http=space(fetch=called('http.fetch')),
        artifacts=space(get=called('artifacts.get'), put=called('artifacts.put')),
    )


${COMPILER}

HIDDEN = ('open', 'input', 'breakpoint', 'help', 'exit', 'quit', 'copyright', 'credits', 'license')


def outcome(status, body, line=None):
    return json_of([status, body, line], 'the outcome')


def failed(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    status = 'sandbox' if isinstance(error, MemoryError) else 'script_error'
    try:
        message = f'{type(error).__name__}: {error}'
    except Exception:
        message = type(error).__name__
    return outcome(status, message[:MAX_MESSAGE], lines[-1] if lines else None)


def run(source, argument, entry):
    code, problems, _ = compiled(source, entry)
    if problems:
        return outcome('script_invalid', problems[0]['message'], problems[0].get('line'))
    names = {name: value for name, value in vars(builtins).items() if name not in HIDDEN}
    names.update(__import__=guarded_import, print=printed)
    # Python finds annotations that are texts, such as those of data classes, in the module that a class names.
    module = sys.modules['script'] = types.ModuleType('script')
    space = vars(module)
    space['__builtins__'] = names
    try:
        exec(code, space)
        given = json.loads(argument)
        value = space[entry](context_of(given) if entry == 'execute' else given)
        return outcome('completed', text_of(value, 'the output of the script'))
    except BaseException as error:
        return failed(error)
`;

/** Removes the bridge to JavaScript: its modules can then neither be imported nor be found by name. */
export const EMPTY_BRIDGE = `
import gc, sys
for name in [name for name in sys.modules if name.split('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')]:
    del sys.modules[name]
sys.meta_path[:] = [finder for finder in sys.meta_path if 'Js' not in getattr(finder, '__name__', type(finder).__name__)]
del name
gc.collect()
`;
