/** A hostile piece of Python: its family, what it tries, and its statements, whose value is `result`. */
export interface PythonAttack {
  family: string;
  name: string;
  code: string;
}

/** The attacks of a family from pairs of name and statements. */
export const family = (name: string, attacks: readonly (readonly [name: string, code: string])[]): PythonAttack[] =>
  attacks.map(([attack, code]) => ({ family: name, name: attack, code }));

const indented = (code: string): string =>
  code
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n');

const functionOf = ({ code }: PythonAttack, index: number): string => `
def attack_${index}(ctx):
    result = None
    try:
${indented(code)}
    except BaseException as error:
        result = error
        walk(error)
    return result
`;

/**
 * One script that runs attacks one after the other, since the start of an interpreter costs more than they do. `walk`
 * looks for the host from any value, `module` is a module reached through the classes of the interpreter.
 */
export const scriptOf = (attacks: readonly PythonAttack[], canaryFile: string): string => `
reports = []
CANARY = ${JSON.stringify(canaryFile)}

def found(how, what):
    reports.append(f'ESCAPED {how} {str(what)[:200]}')

def wrapped():
    for each in ().__class__.__base__.__subclasses__():
        if each.__name__ == '_wrap_close':
            return each.__init__.__globals__

def module(name):
    return wrapped()['__builtins__']['__import__'](name)

def walk(value, how='value', depth=0):
    if 'JsProxy' in [each.__name__ for each in type(value).__mro__]:
        found('an object of JavaScript', how)
        for name in ('process', 'constructor', 'require', 'globalThis', 'fetch'):
            if hasattr(value, name):
                found('a member of it', name)
    if depth < 2 and hasattr(value, '__dict__'):
        for name, child in list(vars(value).items())[:20]:
            walk(child, f'{how}.{name}', depth + 1)
${attacks.map(functionOf).join('')}
def execute(ctx):
    for attack in [${attacks.map((_, index) => `attack_${index}`).join(', ')}]:
        walk(attack(ctx), attack.__name__)
    return {'reports': reports, 'attacks': ${attacks.length}}
`;
