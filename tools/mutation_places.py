"""Finds the places of C++ sources that a mutation run may change, with libclang, and writes sources with switches.

Each place has an operand structure that the switch keeps: `a < b` becomes `(thrum_mutant(7) ? (a <= b) : (a < b))`. So one
build contains all mutants, and an environment variable chooses one (mutate.py).
"""
import sys
from dataclasses import dataclass, field

# Debian's package is installed for the system's Python; the module is pure Python.
sys.path.append('/usr/lib/python3/dist-packages')
from clang import cindex  # noqa: E402  (package python3-clang-19)

K = cindex.CursorKind
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE)
SCOPES = (K.NAMESPACE, K.CLASS_DECL, K.STRUCT_DECL, K.CLASS_TEMPLATE, K.UNION_DECL, K.UNEXPOSED_DECL, K.LINKAGE_SPEC,
          K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
BOUNDARY = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
LOGICAL = {'&&': '||', '||': '&&'}
ARITHMETIC = {'+': '-', '-': '+', '*': '/', '/': '*', '%': '/', '&': '|', '|': '&', '<<': '>>', '>>': '<<'}
ASSIGNMENTS = {'=', '+=', '-=', '|=', '&='}
JUMPS = {K.RETURN_STMT: 'return', K.BREAK_STMT: 'break', K.CONTINUE_STMT: 'continue'}


@dataclass(order=True)
class Place:
    """One mutation of the bytes [start, end) of a file. `parts` are strings and (start, end) that the mutant consists of."""
    file: str
    start: int
    end: int
    layer: int  # of two places with the same bytes, that of the higher layer encloses the other
    line: int = field(compare=False)
    what: str = field(compare=False)  # as the table shows it: "< becomes <="
    form: str = field(compare=False)  # expression: `parts` replaces it; statement: it is left out; condition: see render()
    parts: list = field(compare=False, default_factory=list)
    constant: bool = field(compare=False, default=False)  # may be evaluated by the compiler, where the switch is off

    def key(self):
        return f'{self.file}:{self.start}:{self.end}:{self.what}'


class Finder:
    """Collects the places of one translation unit that are in `folders`."""

    def __init__(self, root, folders):
        self.root, self.folders = root, folders
        self.texts, self.macros = {}, {}
        self.places, self.skipped = {}, {}
        self.visited = set()
        self.constant = False  # for places that are found now

    def read(self, path, options):
        unit = cindex.Index.create().parse(str(path), options, options=1)  # 1: with the expansions of macros
        errors = [d.spelling for d in unit.diagnostics if d.severity >= 3]
        if errors:
            raise SystemExit(f'{path}: {errors[0]}')
        chosen = {}
        for cursor in unit.cursor.get_children():
            name = cursor.location.file.name if cursor.location.file else None
            if name not in chosen:
                chosen[name] = self.relative(name)
            if not chosen[name]:
                continue
            if cursor.kind == K.MACRO_INSTANTIATION:
                extent = cursor.extent
                self.macros.setdefault(chosen[name], set()).add((extent.start.offset, extent.end.offset))
            elif cursor.kind in SCOPES + FUNCTIONS:
                self.declaration(cursor, chosen[name])

    def relative(self, name):
        if not name or not name.startswith(f'{self.root}/'):
            return None
        relative = name[len(str(self.root)) + 1:]
        if relative.rsplit('/', 1)[0] not in self.folders or relative.endswith(('_test.cc', 'testing.h')):
            return None
        if relative.rsplit('/', 1)[1].startswith('random_') or relative.endswith('on_each_layer.h'):
            return None  # parts of tests
        if relative not in self.texts:
            self.texts[relative] = (self.root / relative).read_bytes()
        return relative

    def declaration(self, cursor, file):
        if cursor.kind in SCOPES:
            for child in cursor.get_children():
                self.declaration(child, file)
            return
        if cursor.kind not in FUNCTIONS:
            return
        key = (file, cursor.extent.start.offset)
        if not cursor.is_definition() or key in self.visited:
            return
        self.visited.add(key)
        for child in cursor.get_children():
            if child.kind == K.COMPOUND_STMT:
                before = self.text(file, (cursor.extent.start.offset, child.extent.start.offset))
                self.constant = 'constexpr' in before or 'consteval' in before
                self.statement(child, file)
                self.constant = False

    # Text

    def span(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, file, span):
        return self.texts[file][span[0]:span[1]].decode()

    def in_macro(self, file, span):
        """Whether an expansion of a macro overlaps the span without being inside one operand of it."""
        return any(start < span[1] and end > span[0] and (start <= span[0] or end >= span[1])
                   for start, end in self.macros.get(file, ()))

    def add(self, file, span, cursor, what, form, parts=(), layer=0):
        text = self.text(file, span)
        reason = None
        if not text or self.in_macro(file, span):
            reason = 'part of a macro'
        elif form == 'expression' and any(word in text for word in ('co_await', 'co_yield', '{')):
            reason = 'a copy of its operands does not compile'
        if reason:
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
            return
        place = Place(file, *span, layer, cursor.location.line, what, form, list(parts), self.constant)
        self.places[place.key()] = place

    # Statements

    def statement(self, cursor, file):
        kind, children = cursor.kind, list(cursor.get_children())
        if kind == K.LAMBDA_EXPR:
            children = [child for child in children if child.kind == K.COMPOUND_STMT]
        elif kind == K.CASE_STMT:
            children = children[1:]  # the constant
        elif kind in (K.STATIC_ASSERT, K.CXX_UNARY_EXPR, K.TYPE_REF):
            return
        elif kind == K.VAR_DECL and self.is_constant(cursor, file):
            self.skipped['a constant of the compiler'] = self.skipped.get('a constant of the compiler', 0) + 1
            return
        elif kind == K.IF_STMT:
            children = self.if_statement(cursor, file, children)
        elif kind == K.COMPOUND_STMT:
            for child in children:
                self.left_out(child, file)
        elif kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            self.binary(cursor, file, children)
        elif kind == K.CONDITIONAL_OPERATOR and children:
            self.condition(children[0], file)
        elif kind == K.INTEGER_LITERAL:
            self.add(file, self.span(cursor), cursor, 'constant + 1', 'constant')
        elif kind == K.UNARY_OPERATOR and children:
            self.unary(cursor, file, children[0])
        elif kind == K.CXX_BOOL_LITERAL_EXPR:
            text = self.text(file, self.span(cursor))
            self.add(file, self.span(cursor), cursor, f'{text} inverted', 'inverted')
        if kind in (K.FOR_STMT, K.WHILE_STMT, K.CXX_FOR_RANGE_STMT, K.DO_STMT) and children:
            self.left_out(children[0] if kind == K.DO_STMT else children[-1], file)
        constant = self.constant
        self.constant = constant or kind == K.DECL_REF_EXPR  # arguments of a template
        for child in children:
            self.statement(child, file)
        self.constant = constant

    def is_constant(self, cursor, file):
        before = self.text(file, self.span(cursor))
        return 'constexpr' in before.split('=')[0] or cursor.type.kind == cindex.TypeKind.CONSTANTARRAY

    def if_statement(self, cursor, file, children):
        """Returns the children that may be looked into."""
        start = cursor.extent.start.offset
        head = self.texts[file][start:start + 14].decode(errors='replace')
        if 'constexpr' in head:
            self.skipped['a condition of the compiler'] = self.skipped.get('a condition of the compiler', 0) + 1
            return children[1:]
        declares = any(child.kind in (K.DECL_STMT, K.VAR_DECL) for child in children[:-1])
        if declares or not children[0].kind.is_expression():
            for child in children[1:]:
                self.left_out(child, file)
            return children
        condition, then = children[0], children[1]
        body = [then] if then.kind != K.COMPOUND_STMT else list(then.get_children())
        if len(children) == 2 and len(body) == 1 and body[0].kind in JUMPS:
            self.add(file, self.span(condition), condition, f'early {JUMPS[body[0].kind]} removed', 'never', layer=2)
        self.condition(condition, file)
        for child in children[1:]:
            self.left_out(child, file)
        return children

    def condition(self, cursor, file):
        """Negates a condition, unless a place of its own does the same."""
        inner = cursor
        while inner.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR) and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        if inner.kind == K.BINARY_OPERATOR and self.operator(inner, file, list(inner.get_children())) in ('==', '!='):
            return
        if inner.kind == K.UNARY_OPERATOR and self.text(file, self.span(inner)).startswith('!'):
            return
        self.add(file, self.span(cursor), cursor, 'condition negated', 'negated', layer=1)

    def left_out(self, cursor, file):
        while cursor.kind == K.UNEXPOSED_EXPR and len(list(cursor.get_children())) == 1:
            cursor = next(cursor.get_children())
        span = self.span(cursor)
        if cursor.kind == K.CALL_EXPR and cursor.type.kind in (cindex.TypeKind.VOID, cindex.TypeKind.DEPENDENT):
            name = cursor.spelling or self.text(file, span).split('(')[0]
            if name and not name.startswith('assert_'):
                self.add(file, span, cursor, f'call of {name} left out', 'statement')
        elif cursor.kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            operator = self.operator(cursor, file, list(cursor.get_children()))
            if operator in ASSIGNMENTS:
                self.add(file, span, cursor, f'{operator} left out', 'statement')
        elif cursor.kind == K.UNARY_OPERATOR and self.text(file, span)[:2] in ('++', '--'):
            self.add(file, span, cursor, f'{self.text(file, span)[:2]} left out', 'statement')

    # Expressions

    def operator(self, cursor, file, children):
        if len(children) != 2:
            return None
        return self.text(file, (self.span(children[0])[1], self.span(children[1])[0])).strip()

    def unary(self, cursor, file, child):
        span, inner = self.span(cursor), self.span(child)
        if self.text(file, span).startswith('!') and inner[0] == span[0] + 1:
            self.add(file, span, cursor, '! dropped', 'negated', layer=1)

    def binary(self, cursor, file, children):
        operator = self.operator(cursor, file, children)
        if not operator:
            return
        left, right, span = self.span(children[0]), self.span(children[1]), self.span(cursor)
        others = BOUNDARY.get(operator) or LOGICAL.get(operator)
        if others:
            self.add(file, span, cursor, f'{operator} becomes {others}', 'expression', ['(', left, f') {others} (', right, ')'])
            return
        if operator not in ARITHMETIC:
            return
        if self.text(file, right) == '1' and operator in '+-':
            self.add(file, span, cursor, f'{operator} 1 dropped', 'expression', ['(', left, ')'])
            return
        kinds = {child.type.get_canonical().kind for child in children}
        if kinds & {cindex.TypeKind.POINTER, cindex.TypeKind.DEPENDENT, cindex.TypeKind.RECORD} and operator == '-':
            return
        other = ARITHMETIC[operator]
        self.add(file, span, cursor, f'{operator} becomes {other}', 'expression', ['(', left, f') {other} (', right, ')'])


class Writer:
    """Writes a file with switches. `numbered`: the chosen places of the file with their numbers."""

    def __init__(self, text, numbered):
        self.text = text
        self.nodes = {}
        for number, place in numbered:
            self.nodes.setdefault((place.start, -place.end, -place.layer), []).append((number, place))
        self.order = sorted(self.nodes)

    def whole(self):
        return self.render(0, len(self.text), self.order)

    def render(self, start, end, nodes):
        """The bytes [start, end) with the switches of `nodes`, which are inside and in order."""
        result, at, index = [], start, 0
        while index < len(nodes):
            first, last = nodes[index][0], -nodes[index][1]
            inside = [node for node in nodes[index + 1:] if node[0] >= first and -node[1] <= last]
            result.append(self.text[at:first].decode())
            result.append(self.switch(first, last, self.nodes[nodes[index]], inside))
            at, index = last, index + 1 + len(inside)
        result.append(self.text[at:end].decode())
        return ''.join(result)

    def switch(self, start, end, places, inside):
        def sub(span):
            return self.render(*span, [node for node in inside if node[0] >= span[0] and -node[1] <= span[1]])

        text = self.render(start, end, inside)
        for number, place in places:
            on = f'thrum_mutant({number})'
            if place.form == 'expression':
                other = ''.join(part if isinstance(part, str) else sub(part) for part in place.parts)
                text = f'({on} ? ({other}) : ({text}))'
            elif place.form == 'constant':
                text = f'({text} + {on})'
            elif place.form == 'inverted':
                text = f'({text} != {on})'
            elif place.form == 'negated':
                text = f'({on} != static_cast<bool>({text}))'
            elif place.form == 'never':
                text = f'(!{on} && static_cast<bool>({text}))'
            else:
                text = f'({on} ? void() : void({text}))'
        return text
