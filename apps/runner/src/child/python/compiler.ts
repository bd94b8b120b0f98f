/** Python code of the driver: the imports that scripts may use, and compiling a script without running it. */
export const COMPILER = `
ALLOWED = frozenset('''
abc array base64 binascii bisect calendar cmath collections contextlib copy csv dataclasses datetime decimal difflib
enum fractions functools hashlib heapq hmac html io ipaddress itertools json math numbers operator pprint random re
secrets statistics string struct textwrap time types typing unicodedata urllib uuid zoneinfo __future__
'''.split())
# Of these packages only the modules that neither open files nor connect.
ONLY = {'urllib': {'urllib', 'urllib.parse'}}


def is_allowed(name):
    root = name.split('.')[0]
    return root in ALLOWED and name in ONLY.get(root, {name})


real_import = builtins.__import__


def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
    if level != 0 or not is_allowed(name):
        raise ImportError(f'a script cannot import {name}')
    return real_import(name, globals, locals, fromlist, level)


def problem(message, node=None):
    found = {'message': message}
    if node is not None and getattr(node, 'lineno', None):
        found['line'] = node.lineno
        found['column'] = getattr(node, 'col_offset', 0) + 1
    return found


def compiled(source, entry):
    try:
        tree = ast.parse(source, FILE)
        code = compile(tree, FILE, 'exec', dont_inherit=True)
    except SyntaxError as error:
        position = {'line': error.lineno, 'column': max(error.offset or 1, 1)} if error.lineno else {}
        return None, [{'message': f'{error.msg}', **position}], False
    except (RecursionError, MemoryError):
        return None, [problem('the script is nested too deeply')], False
    except ValueError as error:
        return None, [problem(str(error))], False
    problems = []
    for node in ast.walk(tree):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or '.'] if node.level == 0 else ['.']
        problems += [problem(f'a script cannot import {name}', node) for name in names if not is_allowed(name)]
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for name in ('score',) if entry == 'score' else ('execute', 'transform_session'):
        found = [node for node in functions if node.name == name]
        problems += [problem(f'{name} is declared twice', node) for node in found[1:]]
        problems += [problem(f'{name} must not be async', node) for node in found if isinstance(node, ast.AsyncFunctionDef)]
        if name == entry and not found:
            problems.append(problem(f'the script has no top-level function {name}'))
    return code, problems[:100], any(node.name == 'transform_session' for node in functions)


def compile_scripts(source, entry, second):
    _, problems, has_transform = compiled(source, entry)
    if second is not None:
        _, later, has_transform = compiled(second, 'transform_session')
        problems += [{**each, 'message': 'transform_session: ' + each['message']} for each in later]
    return json.dumps({'problems': problems, 'has_transform_session': has_transform})
`;
