"""Which language a file is written in, told from its name or its first line."""

from __future__ import annotations

import re
from pathlib import PurePath

_ENDINGS = """
actionscript as        ada adb ads ada         agda agda             apex cls trigger     arduino ino
asm asm s S            astro astro             bash sh bash ksh zsh ebuild eclass         beancount beancount
bibtex bib             bicep bicep             bitbake bb bbappend bbclass                bsl bsl os
c c h i                cairo cairo             capnp capnp           chatito chatito      clarity clar
clojure clj cljs cljc edn                      cmake cmake           commonlisp lisp lsp cl
cpon cpon              cpp cc cpp cxx c++ hpp hh hxx h++ ii ipp tpp  csharp cs csx        css css
csv csv                cuda cu cuh             d d di                dart dart            dockerfile dockerfile
dtd dtd                elisp el                elixir ex exs         elm elm              embeddedtemplate erb ejs
erlang erl hrl         fennel fnl              firrtl fir            fish fish            fortran f90 f95 f03 f08 f for
fsharp fs fsx          fsharp_signature fsi    func fc               gdscript gd          gleam gleam
glsl glsl vert frag geom comp tesc tese        gn gn gni             go go                graphql graphql gql
groovy groovy gradle   hack hack               hare ha               haskell hs           haxe hx
hcl hcl                heex heex               hlsl hlsl             html html htm xhtml  hyprlang hl
ini ini cfg conf       ispc ispc               janet janet           java java            javascript js mjs cjs jsx
json json geojson webmanifest jsonc json5 ipynb har sarif jsonl ndjson
jsonnet jsonnet libsonnet                  julia jl
kconfig kconfig        kdl kdl                 kotlin kt kts         latex tex sty ltx    linkerscript ld lds
llvm ll                lua lua                 luau luau             magik magik          make mk mak
markdown md markdown   matlab m                mermaid mmd mermaid   meson meson          netlinx axi axs
nim nim nims           ninja ninja             nix nix               nqc nqc              objc mm
ocaml ml               ocaml_interface mli     odin odin             org org              pascal pas dpr lpr
pem pem crt            perl pl pm t            pgn pgn               php php phtml        po po pot
pony pony              powershell ps1 psm1 psd1                      prisma prisma        properties properties
proto proto            psv psv                 puppet pp             purescript purs      python py pyi pyw
qmljs qml              query query             r r R                 racket rkt           re2c re
rego rego              ron ron                 rst rst               rust rs              ruby rb rake gemspec
scala scala sc sbt     scheme scm ss sld sls smt2 smt sexp pddl         scss scss
smali smali          smithy smithy
solidity sol           sparql rq sparql        sql sql ddl pgsql     squirrel nut         starlark bzl star
svelte svelte          swift swift             tablegen td           tcl tcl tk           terraform tf tfvars
thrift thrift          toml toml               tsv tsv               tsx tsx              twig twig
typescript ts mts cts  typst typ               udev rules            ungrammar ungram     uxntal tal
v vsh                  verilog v sv svh vh     vhdl vhd vhdl         vim vim              vue vue
wast wast              wat wat                 wgsl wgsl             xcompose xcompose    yaml yaml yml
xml xml svg xsl xslt xsd rng rss atom plist xhtml wsdl gml kml gpx csproj vcxproj ui resx xliff dae
yuck yuck
zig zig zon
"""
"""S-expressions are read as Scheme: SMT-LIB, PDDL and others have no grammar of their own."""

_NAMES = {
    ".bashrc": "bash",
    ".gitattributes": "gitattributes",
    ".gitignore": "gitignore",
    ".inputrc": "readline",
    ".profile": "bash",
    ".vimrc": "vim",
    "BUILD": "starlark",
    "BUILD.bazel": "starlark",
    "CMakeLists.txt": "cmake",
    "COMMIT_EDITMSG": "gitcommit",
    "Containerfile": "dockerfile",
    "Dockerfile": "dockerfile",
    "GNUmakefile": "make",
    "Gemfile": "ruby",
    "Kconfig": "kconfig",
    "MANIFEST.in": "pymanifest",
    "Makefile": "make",
    "Rakefile": "ruby",
    "WORKSPACE": "starlark",
    "XCompose": "xcompose",
    "go.mod": "gomod",
    "go.sum": "gosum",
    "makefile": "make",
    "meson.build": "meson",
    "qmldir": "qmldir",
    "requirements.txt": "requirements",
}

_PROGRAMS = {
    "ash": "bash", "bash": "bash", "dash": "bash", "ksh": "bash", "sh": "bash", "zsh": "bash",
    "deno": "typescript", "node": "javascript", "nodejs": "javascript",
    "elixir": "elixir", "escript": "erlang", "fish": "fish", "guile": "scheme", "julia": "julia", "lua": "lua",
    "luajit": "lua", "make": "make", "ocaml": "ocaml", "perl": "perl", "php": "php", "pwsh": "powershell",
    "python": "python", "pypy": "python", "racket": "racket", "rscript": "r", "ruby": "ruby", "sbcl": "commonlisp",
    "tclsh": "tcl", "wish": "tcl",
}  # fmt: skip

_SHEBANG = re.compile(rb"#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?")


def _by_ending(known: frozenset[str]) -> dict[str, str]:
    """Read the table above: each language is followed by the endings of its files."""
    endings: dict[str, str] = {}
    for line in _ENDINGS.splitlines():
        for entry in re.split(r"\s{2,}", line.strip()):
            language, *own = entry.split(" ") if entry else ("",)
            if language in known:
                for ending in own:
                    endings.setdefault(ending, language)
    return endings


def language_of_name(path: PurePath, known: frozenset[str]) -> str | None:
    """Return the language that files of this name are written in."""
    named = _NAMES.get(path.name)
    if named in known:
        return named
    endings = _by_ending(known)
    ending = path.suffix.removeprefix(".")
    return endings.get(ending) or endings.get(ending.lower())


def language_of_shebang(data: bytes, known: frozenset[str]) -> str | None:
    """Return the language of a script from the program that its first line names."""
    match = _SHEBANG.match(data)
    if match is None:
        return None
    program = match[1].rsplit(b"/", 1)[-1]
    if program == b"env" and match[2]:
        program = match[2].rsplit(b"/", 1)[-1]
    name = re.sub(r"[\d.]+$", "", program.decode("ascii", "replace").lower())
    language = _PROGRAMS.get(name)
    return language if language in known else None


def endings_of(language: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return the names and endings that mark files of a language."""
    names = [name for name, named in _NAMES.items() if named == language]
    return (*(f".{ending}" for ending, of in _by_ending(known).items() if of == language), *names)
