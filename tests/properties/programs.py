"""Small programs in several languages, for properties of whatever works on syntax."""

from __future__ import annotations

from hypothesis import strategies as st

_names = st.sampled_from(["a", "b", "count", "x1", "total"])
_numbers = st.sampled_from(["0", "1", "42", "3.5"])
_strings = st.sampled_from(['"s"', '""', '"two words"'])


def _expressions(extra: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    atoms = _names | _numbers | _strings | extra

    def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(["+", "*", "<", "- "]), inner).map(" ".join),
            inner.map("({})".format),
            st.tuples(_names, st.lists(inner, max_size=3).map(", ".join)).map("{0[0]}({0[1]})".format),
            st.tuples(_names, inner).map("{0[0]}[{0[1]}]".format),
        )

    return st.recursive(atoms, wider, max_leaves=5)


def _c() -> st.SearchStrategy[str]:
    expression = _expressions(st.just("-1"))
    simple = st.one_of(
        expression.map("{};".format),
        st.tuples(_names, expression).map("int {0[0]} = {0[1]};".format),
        expression.map("return {};".format),
        st.just(";"),
    )

    def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        block = st.lists(inner, max_size=3).map("\n".join).map("{{\n{}\n}}".format)
        return st.one_of(
            block,
            st.tuples(expression, inner, inner).map("if ({0[0]}) {0[1]} else {0[2]}".format),
            st.tuples(expression, block).map("while ({0[0]}) {0[1]}".format),
            st.tuples(expression, inner).map("for (; {0[0]}; x1++) {0[1]}".format),
        )

    statement = st.recursive(simple, compound, max_leaves=5)
    function = st.tuples(_names, st.lists(statement, max_size=3).map("\n".join)).map(
        "int {0[0]}(int a, char *b)\n{{\n{0[1]}\n}}\n".format
    )
    top = function | _names.map("static int {};\n".format) | st.just("#define N 1\n") | st.just("/* note */\n")
    return st.lists(top, min_size=1, max_size=3).map("".join)


def _python() -> st.SearchStrategy[str]:
    expression = _expressions(st.sampled_from(["None", "[1, 2]", "{'k': 1}", "lambda: 0"]))
    simple = st.one_of(
        expression,
        st.tuples(_names, expression).map(" = ".join),
        st.just("pass"),
        st.just("import os, sys"),
        expression.map("assert {}".format),
    )

    def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        block = st.lists(inner, min_size=1, max_size=3).map("\n".join).map(lambda text: text.replace("\n", "\n    "))
        return st.one_of(
            st.tuples(expression, block).map("if {0[0]}:\n    {0[1]}".format),
            st.tuples(expression, block, block).map("if {0[0]}:\n    {0[1]}\nelse:\n    {0[2]}".format),
            st.tuples(_names, block).map("def {0[0]}(a, b=1, *c):\n    {0[1]}".format),
            st.tuples(_names, block).map("class {0[0]}(object):\n    {0[1]}".format),
            block.map("try:\n    {}\nfinally:\n    pass".format),
        )

    statement = st.recursive(simple, compound, max_leaves=6)
    return st.lists(statement, min_size=1, max_size=3).map("\n".join).map("{}\n".format)


def _javascript() -> st.SearchStrategy[str]:
    expression = _expressions(st.sampled_from(["[1, a]", "({k: 1})", "() => 0", "`t`", "/r/g"]))
    simple = st.one_of(
        expression.map("a = {};".format),
        st.tuples(_names, expression).map("let {0[0]} = {0[1]}, other;".format),
        expression.map("return {}".format),
    )

    def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        block = st.lists(inner, max_size=3).map("\n".join).map("{{\n{}\n}}".format)
        return st.one_of(
            st.tuples(expression, block).map("if ({0[0]}) {0[1]}".format),
            st.tuples(_names, block).map("function {0[0]}(a, b = 1) {0[1]}".format),
            block.map("try {} catch (e) {{}}".format),
            st.tuples(_names, block).map("class {0[0]} {{ m() {0[1]} }}".format),
        )

    statement = st.recursive(simple, compound, max_leaves=5)
    return st.lists(statement, min_size=1, max_size=3).map("\n".join)


def _json() -> st.SearchStrategy[str]:
    atoms = _numbers | _strings | st.sampled_from(["null", "true", "[]", "{}"])

    def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pairs = st.lists(st.tuples(_strings, inner).map(": ".join), min_size=1, max_size=4)
        return st.lists(inner, min_size=1, max_size=4).map(", ".join).map("[{}]".format) | pairs.map(",\n".join).map(
            "{{{}}}".format
        )

    return st.recursive(atoms, wider, max_leaves=10)


def _xml() -> st.SearchStrategy[str]:
    texts = st.sampled_from(["text", "<!-- c -->", "&amp;", "<e/>", "<![CDATA[x]]>"])

    def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        content = st.lists(inner, max_size=3).map("".join)
        return st.one_of(
            content.map("<p>{}</p>".format),
            content.map('<div class="c" id="i">\n{}</div>'.format),
        )

    body = st.recursive(texts, wider, max_leaves=6)
    return body.map('<?xml version="1.0"?>\n<root>{}</root>\n'.format)


def _sql() -> st.SearchStrategy[str]:
    expression = st.recursive(
        _names | st.sampled_from(["0", "1", "'s'"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "=", "AND"]), inner).map(" ".join), inner.map("({})".format)
        ),
        max_leaves=4,
    )
    columns = st.lists(expression, min_size=1, max_size=3).map(", ".join)
    select = st.tuples(columns, _names, expression).map("SELECT {0[0]} FROM {0[1]} WHERE {0[2]};\n".format)
    insert = st.tuples(_names, columns).map("INSERT INTO {0[0]} VALUES ({0[1]});\n".format)
    create = _names.map("CREATE TABLE {} (a INT, b TEXT);\n".format)
    return st.lists(select | insert | create, min_size=1, max_size=3).map("".join)


GENERATORS: dict[str, st.SearchStrategy[str]] = {
    "c": _c(),
    "python": _python(),
    "javascript": _javascript(),
    "json": _json(),
    "xml": _xml(),
    "sql": _sql(),
}
