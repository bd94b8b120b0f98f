import { family, type PythonAttack } from './attack.js';

const MODULES_OF_JAVASCRIPT = [
  'js',
  'pyodide_js',
  'pyodide',
  'pyodide.code',
  'pyodide.ffi',
  'pyodide.http',
  '_pyodide',
  '_pyodide_core',
  '_pyodide._importhook',
  'pyodide_js._api',
];
const SYSTEM_MODULES = [
  'os',
  'sys',
  'subprocess',
  'socket',
  'ctypes',
  'importlib',
  'shutil',
  'pathlib',
  'gc',
  'inspect',
];

/** The hostile pieces of Python, by family. */
export const PYTHON_ATTACKS: readonly PythonAttack[] = [
  ...family('P1 classes', [
    [
      'subclasses of object',
      'result = [each.__name__ for each in object.__subclasses__() if each.__name__ == "JsProxy" and each()]',
    ],
    [
      'frames of a generator',
      'g = (x for x in [1])\nresult = g.gi_frame.f_back.f_back.f_builtins["open"](CANARY).read()\nfound("a file", result)',
    ],
    [
      'frames of a traceback',
      'try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    f = e.__traceback__.tb_frame\n    while f.f_back: f = f.f_back\n    result = [name for name in f.f_globals if "js" in name.lower() and name != "json"]',
    ],
    [
      'frames above the script',
      'import types\nf = (lambda: 0).__globals__\nresult = f["__builtins__"]["__import__"]("os")\nfound("a module", result)',
    ],
    [
      'constructed code object',
      'c = (lambda: 0).__code__\nresult = type(lambda: 0)(c.replace(co_names=("open",)), {})()',
    ],
    [
      'frame of a stream of a model',
      'g = ctx.chat.completions.stream({})\nresult = [g.gi_frame.f_globals["os"].listdir("/home"), g.gi_code.co_consts]\nwalk(g.gi_frame.f_globals)',
    ],
    ['closure of a host function', 'result = [cell.cell_contents for cell in ctx.http.fetch.__closure__]'],
    [
      'globals of a host function',
      'g = ctx.http.fetch.__globals__\nresult = g["os"].listdir("/home") + g["os"].listdir("/")',
    ],
    [
      'globals of a host function: import of js',
      'result = ctx.http.fetch.__globals__["real_import"]("js")\nfound("a module", result)',
    ],
    [
      'mro of an exception',
      'result = [each for each in type(RuntimeError()).__mro__[-1].__subclasses__() if "Proxy" in each.__name__ and "Js" not in each.__name__]',
    ],
    ['type() with a hostile metaclass', 'result = type("X", (object,), {"__del__": lambda self: walk(self)})()'],
    ['descriptor on ctx', 'result = type(ctx).__dict__["__dict__"].__get__(ctx)'],
  ]),
  ...family(
    'P2 bridge to JavaScript',
    MODULES_OF_JAVASCRIPT.map((name) => [
      `import of ${name}`,
      `m = module("${name}")\nresult = m\nfor name in ("globalThis", "process", "eval", "run_js", "FS", "loadPackage"):\n    if hasattr(m, name): found("a member of ${name}", name)\nresult = None`,
    ]),
  ),
  ...family('P2 objects of JavaScript', [
    ['n8n CVE-2025-68668: run_js', 'result = module("pyodide.code").run_js("process.env")\nfound("code", result)'],
    [
      'instances in the garbage collector',
      'result = None\nfor each in module("gc").get_objects():\n    if "JsProxy" in [c.__name__ for c in type(each).__mro__]: found("an instance", repr(each))',
    ],
    [
      'Cohere CVE-2026-5752: prototype chain of a mock',
      'result = ctx.input.constructor.constructor("return process")()\nfound("the process", result)',
    ],
    [
      'constructor of a host function',
      'result = ctx.log.constructor("return process")()\nfound("the process", result)',
    ],
    ['asyncio loop of the bridge', 'result = module("asyncio").get_event_loop()\nwalk(result)'],
  ]),
  ...family('P3 files and processes', [
    ['hidden open', 'result = open(CANARY).read()'],
    ['open of io', 'import io\nresult = io.open(CANARY).read()\nfound("a file", result)'],
    ['open of os', 'result = module("os").open(CANARY, 0)\nfound("a descriptor", result)'],
    ['open of _io', 'result = module("_io").FileIO(CANARY).read()\nfound("a file", result)'],
    [
      'environment',
      'result = dict(module("os").environ)\nif any("canary" in value for value in result.values()): found("the environment", result)',
    ],
    [
      'environment of the process',
      'result = wrapped()["open"]("/proc/self/environ").read()\nfound("the environment", result)',
    ],
    ['passwords', 'result = module("_io").open("/etc/passwd").read()\nif "root" in result: found("a file", result)'],
    ['device files', 'result = module("os").listdir("/dev")'],
    ['mounted node file system', 'result = module("os").listdir("/work")\nfound("a folder", result)'],
    ['subprocess', 'result = module("subprocess").run(["id"], capture_output=True).stdout\nfound("a process", result)'],
    ['fork', 'result = module("os").fork()\nfound("a process", result)'],
    ['kill of the parent', 'result = module("os").kill(1, 9)'],
    [
      'socket',
      's = module("socket").socket()\ns.settimeout(0.2)\nresult = s.connect(("127.0.0.1", ctx.params["port"]))',
    ],
    // The module stays behind its package, where another attack of the same script looks whether the guard has let it in.
    [
      'urllib',
      'try:\n    result = module("urllib.request").urlopen(f"http://127.0.0.1:{ctx.params[\'port\']}/").read()\n    found("the network", result)\nfinally:\n    vars(module("urllib")).pop("request", None)',
    ],
  ]),
  ...family('P4 exceptions and formats', [
    [
      'n8n CVE-2026-0863: format of an exception',
      'try:\n    1 / 0\nexcept Exception as e:\n    result = "{0.__traceback__.tb_frame.f_globals}".format(e)\nif "JsProxy" in result: found("globals", result)',
    ],
    [
      'format of a host function',
      'result = "{0.__globals__[os].environ}".format(ctx.log)\nif "canary" in result: found("the environment", result)',
    ],
    ['exception with a hostile str', 'class E(Exception):\n    def __str__(self): raise SystemExit(3)\nresult = E()'],
    ['exit of the interpreter', 'try:\n    module("sys").exit(7)\nexcept SystemExit as e:\n    result = e'],
    [
      'exception of a host call',
      'try:\n    ctx.http.fetch("x")\nexcept Exception as e:\n    result = e\n    walk(e.__traceback__.tb_frame.f_globals.get("js"))',
    ],
    ['repr that recurses', 'a = []\na.append(a)\nresult = repr(a)'],
  ]),
  ...family('P5 imports and built-ins', [
    ...SYSTEM_MODULES.map(
      (name) => [`import of ${name}`, `__import__("${name}")\nfound("a module", "${name}")`] as const,
    ),
    [
      'replaced guard',
      'kept = __builtins__["__import__"]\n__builtins__["__import__"] = ctx.http.fetch.__globals__["real_import"]\ntry:\n    exec("import js", {"__builtins__": __builtins__})\n    found("a module", "js")\nfinally:\n    __builtins__["__import__"] = kept',
    ],
    ['relative import', 'result = __import__("os", globals(), None, ["path"], 1)\nfound("a module", result)'],
    [
      'eval and compile',
      'result = eval(compile("__import__(\'os\')", "script.py", "eval"))\nfound("a module", result)',
    ],
    ['urllib.request behind urllib.parse', 'import urllib.parse\nresult = urllib.request\nfound("a module", result)'],
  ]),
  ...family('P6 host device', [
    ['frames of the script', 'import json\nh = ctx.log.__globals__["HOST"]\nresult = h'],
    ['host call with a hostile value', 'result = ctx.http.fetch(object())'],
    ['event of 1 MB', 'ctx.emit("x" * 1_000_000)'],
    ['log of a lone surrogate', 'ctx.log("info", "\\ud800")'],
    [
      'secret that was not given',
      'if ctx.secrets.get("NOT_GIVEN") is not None: found("a secret", 1)\nif ctx.secrets.get({}) is not None: found("a secret", 2)',
    ],
    [
      'changed names of secrets',
      'names = [c.cell_contents for c in ctx.secrets.get.__closure__ if isinstance(c.cell_contents, list)]\nresult = names',
    ],
  ]),
];

const C = 'c = module("ctypes")\nlib = c.CDLL(None)\n';

/** Attacks that break the interpreter when they fail, so each needs a separate one. */
export const FATAL_ATTACKS: readonly PythonAttack[] = family('P7 through the interpreter', [
  ['system of the host', 'result = wrapped()["system"]("id > " + CANARY)\nif result == 0: found("a process", result)'],
  [
    'JavaScript from C',
    `${C}lib.emscripten_run_script_string.restype = c.c_char_p\nresult = lib.emscripten_run_script_string(b"JSON.stringify(process.env)")\nfound("code", result)`,
  ],
  [
    'JavaScript from C without a result',
    `${C}result = lib.emscripten_run_script(b"globalThis.process && process.exit(0)")\nfound("code", result)`,
  ],
  ['system from C', `${C}result = lib.system(b"id")\nif result == 0: found("a process", result)`],
  ['wild pointer', `${C}result = c.string_at(0x7fffffff, 8)`],
  [
    'every byte of the memory',
    `${C}result = c.string_at(0, 1_000_000)\nif b"canary" in result: found("the environment", 1)`,
  ],
]);
