"""Resource types of modules, read from Ruby sources, and the checks of their attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator import Session, check
from evaluator.resource_types.records import DeclaredType
from evaluator.resource_types.sources import read_ruby
from evaluator.resource_types.sources.ruby_lexer import RubyLexer
from tests.files import write_files


def read_type(body: str) -> DeclaredType:
    declared = read_ruby("kit", f"Puppet::Type.newtype(:kit) do\n{body}\nend\n")
    assert declared is not None
    return declared


# By the body of a type: its attributes, properties with a `+`, the namevars after a slash, and `?` if the type is open.
BODIES = {
    "newparam(:a); newproperty(:b)": "a +b /",
    "newparam :name\nnewproperty 'b' do\n desc 'x'\nend": "name +b /name",
    "ensurable\nnewparam(:path, namevar: true)": "+ensure path /path",
    "ensurable do\n defaultvalues\n defaultto :present\nend\nnewparam(:path, :namevar=>true) {}": "+ensure path /path",
    "newparam(:a) { isnamevar }": "a /a",
    "newparam(:a) do\n  desc <<-EOT\n  isnamevar do end if\n  EOT\n  isnamevar\nend": "a /a",
    "newproperty(:a) { isnamevar }": "+a /",
    "[:a, :b].each do |name|\n  newparam(name) do\n    desc 'x'\n  end\nend": "a b /",
    "[:a, :b].each do |name|\n  newparam(name) do\n    isnamevar if false\n  end\nend": "a b ? /",
    '%w[a b].each { |name| newproperty("x_#{name}".to_sym) }': "+x_a +x_b /",
    "{a: 1, b: 2}.each_pair { |name, _| newparam(name) }": "? /",
    "{ a: 'x', 'b' => nil }.each do |name, text|\n newproperty(name) do\n  desc text\n end\nend": "+a +b /",
    "[[:a, 1], [:b, 2]].each { |name, value| newparam(name) { defaultto value } }": "a b /",
    "[:a, :b].each { |name, other| newparam(other) }": "? /",
    "[[:a, :b]].each { |(name, other)| newparam(name) }": "? /",
    "{a: b}.each { |name, value| newparam(name) }": "? /",
    "NAMES = %i[a b].freeze\n(NAMES + [:c]).each { |n| newparam n }": "a b c /",
    "names = [:a]\nnames << :b\nnames.each { |n| newparam(n) }": "a ? /",
    "list.each { |n| newparam(n) }": "? /",
    "newparam(:a)\nif Puppet.version > '4'\n  newparam(:b)\nend": "a b ? /",
    "newparam(:a)\nif true\n  newparam(:b)\nelse\n  newparam(:c)\nend": "a b c ? /",
    "newparam(:a) unless [].empty?\nnewparam(:b) if true": "a b ? /",
    "newmetaparam(:a)\nnewparam(:b)": "b /",
    "autorequire(:file) do\n  [self[:path]].each { |x| x =~ /newparam {/ }\nend\nnewparam(:b)": "b /",
    "validate do\n  raise 'no' unless self[:a] and %r{[/\"]}.match(self[:a])\nend\nnewparam(:b)": "b /",
    "def x(a = nil) a ? 1 : 2 end\ndef y; @z / 2; end\nnewparam(:b)": "b /",
    "feature :x, 'y', methods: [:z]\nnewparam(:b, required_features: :x, parent: Some::Where)": "b /",
    "def self.check(name, options = {}, &block)\n @all ||= {}\n newparam(name, options, &block)\nend\n"
    "check(:a, namevar: true) do\nend": "? /",
    "apply_to_all\nself.class_eval do\n  newparam(:a)\nend": "a /",
    "unheard_of :a": "? /",
    "include Puppet::Util::Errors\ninclude Somewhere::Else\nnewparam(:a)": "a ? /",
    "require 'puppet_x/kit'\nextend PuppetX::Kit::Common\ncreate_parameters": "? /",
    "require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', 'kit'))\n"
    "extend PuppetX::Kit::Common\ncreate_parameters": "? /",
    "newparam(:a) do\n  newvalues(:x, /y/, 'z')\n  munge { |v| v.to_s % w }\nend": "a /",
    "newparam(:a) { defaultto { 'x' * 3 } }\n=begin\nnewparam(:c)\n=end\n# newparam(:d)\nnewparam :b": "a b /",
    'newparam(:a) { newvalues(1e5, 0b11, 0x1F, 2.5) }; newparam("b#{0b11}")': "a b3 /",
    "newparam(:a); while x do\n  y\nend\nbegin\n  newparam(:b)\nrescue => e\n  newparam(:c)\nend": "a b /",
}


def format_type(declared: DeclaredType) -> str:
    """Return a type in the form of `BODIES`."""
    names = [f"{'+' * (kind == 'property')}{name}" for name, (kind, *_) in declared.attributes.items()]
    return " ".join([*names, *["?"] * (not declared.complete), f"/{' '.join(declared.namevars)}"])


@pytest.mark.parametrize("body", BODIES)
def test_the_attributes_of_a_type_are_read_from_its_source(body: str) -> None:
    attributes, expected = format_type(read_type(body)), BODIES[body]
    assert sorted(attributes.split()) == sorted(expected.split())


@pytest.mark.parametrize(
    ("after", "is_complete"),
    [
        ("Puppet::Type.type(:kit).newparam(:b)", False),
        ("Puppet::Type.type(:kit).class_eval do\n newproperty(:b)\nend", False),
        ("Puppet::Type.type(:kit).provide(:ruby) do\n commands a: 'b'\nend", True),
    ],
)
def test_a_type_that_is_changed_after_its_declaration_is_open(after: str, is_complete: bool) -> None:
    declared = read_ruby("kit", f"Puppet::Type.newtype(:kit) do\n newparam(:a)\nend\n{after}\n")
    assert declared is not None and declared.complete == is_complete


def test_names_are_not_checked_for_a_source_that_cannot_be_loaded(tmp_path: Path) -> None:
    files = {"m/lib/puppet/type/kit.rb": "Puppet::Type.newtype(:other) do\n newparam(:name)\nend\n"}
    assert check("kit { 'a': nope => 1 }", "puppet", modulepath=[str(write_files(tmp_path, files))]) == []


TITLES = {
    "def self.title_patterns\n [[/^(.*)$/m, [[:name, lambda { |x| x }]]], [%r{(.)/(.)}, [[:a], [:b]]]]\nend": (
        ("(?m-ix:^(.*)$)", ("name",)),
        ("(?-mix:(.)/(.))", ("a", "b")),
    ),
    "def self.title_patterns\n  any = /[^:]+/i\n  return [[/(#{any})/, [:name]]]\nend": (
        ("(?-mix:((?i-mx:[^:]+)))", ("name",)),
    ),
    "class << self\n  def title_patterns\n    [[/(.*)/, [[:name]]]]\n  end\nend": (
        ("(?-mix:(.*))", ("name",)),
    ),
    "def self.title_patterns\n  [[Regexp.new('(.*)'), [:name]]]\nend": None,
    "def self.title_patterns\n  PuppetX::Kit.split(:name, :b)\nend": None,
    "def self.title_patterns\n  [[/(.*)/, [[:name, lambda { |x| x.reverse }]]]]\nend": None,
    "def self.title_patterns\n  elsewhere\nend": None,
}


@pytest.mark.parametrize("body", TITLES)
def test_title_patterns_are_read_from_a_source(body: str) -> None:
    declared = read_type(f"newparam(:name)\n{body}")
    assert declared.patterns == TITLES[body]
    assert declared.complete == (TITLES[body] is not None)


def test_a_type_of_the_resource_api_is_read() -> None:
    source = """
    require 'puppet/resource_api'
    Puppet::ResourceApi.register_type(
      name: 'kit',
      docs: <<-EOS,
        some #{words} } ]
      EOS
      features: ['simple_get_filter'],
      title_patterns: [{ pattern: %r{^(?<name>.*)-(?<kind>.*)$}, desc: 'both' }],
      attributes: {
        ensure: { type: 'Enum[present, absent]', default: 'present' },
        name: { type: 'String', behaviour: :namevar },
        kind: { type: 'String', behavior: :namevar },
        how: { type: 'String', behaviour: :parameter, desc: "a #{b}" },
        'what': { type: "Optional[#{x}]" },
      },
    )"""
    declared = read_ruby("kit", source)
    assert declared is not None
    assert format_type(declared) == "+ensure name kind how +what /name kind"
    assert declared.patterns == (("(?-mix:^(?<name>.*)-(?<kind>.*)$)", ("name", "kind")),)


@pytest.mark.parametrize(
    "source",
    [
        *("", "def +@\nend", "<<A", "(" * 9999),
        "Puppet::Type.newtype(:other) do\nend\n%w[a kit].each { |name| Puppet::Type.newtype(name) { } }",
    ],
)
def test_a_source_that_declares_no_type_is_not_read(source: str) -> None:
    assert read_ruby("kit", source) is None


FAILURES = {
    "Puppet::Type.newtype(:kit) do\n newproperty(:a)\n newproperty('a') { }\nend": (
        "Class kit already has a property named a"
    ),
    "Puppet::Type.newtype(:kit) do\n ensurable\n newproperty(:ensure)\nend": (
        "Class kit already has a property named ensure"
    ),
    "Puppet::Type.newtype(:kit) do\n newparam(:a_b)\n newparam(:a_b)\nend": (
        "Class ParameterA_b is already defined in Puppet::Type::Kit"
    ),
    "Puppet::Type.newtype(:kit) do\n newparam(:a)\n newproperty(:a)\nend": "",
    "Puppet::Type.newtype(:kit) do\n if x\n newparam(:a)\n else\n newparam(:a)\n end\nend": "",
    "# a type\nPuppet::Type.newtype(:other) do\nend": (
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/other'."
        " Originally set at file://{path}?line=2."
    ),
    "Puppet::Type.newtype(:other) do\nend\nPuppet::Type.newtype(:kit) do\nend": "",
    **dict.fromkeys(
        (
            *("end", "x = %q("),
            "Puppet::Type.newtype(:kit) do\n newparam(:a) { desc 'it's broken' }\nend",
            "Puppet::Type.newtype(:kit) do\n newparam(:name, namevar: true do\n end\nend",
            "Puppet::Type.newtype(:kit) do\n newparam(:name) do\nend",
            "Puppet::Type.newtype(:kit) do\n def\n end\nend",
            "Puppet::Type.newtype(:kit) do\n def x = 1\n end\nend",
        ),
        "{path}: syntax error, quotes, brackets or words such as `do` and `end` do not match",
    ),
    **dict.fromkeys(
        (
            "Puppet::Type.newtype(:kit) do\n def x = 1\n def self.y(a = 2) = a\n def z=(v)\n end\nend",
            "Puppet::Type.newtype(:kit) do\n def x\n  v = 1\n end\n def / other\n end\nend",
            "Puppet::Type.newtype(:kit) do\n def x\n  yield if a\n  super <<~A\n   end\n  A\n end\nend",
            'Puppet::Type.newtype(:kit) do\n x = { a: :"b#{c}" }\nend',
            "Puppet::Type.newtype(:kit) do\n self::class::A\n until a or\n   b do\n  c.\n   for(1)\n end\nend",
        ),
        "",
    ),
}


@pytest.mark.parametrize("source", FAILURES)
def test_a_source_that_cannot_be_loaded_has_the_failure(source: str) -> None:
    declared = read_ruby("kit", source)
    assert declared is not None and declared.failure == FAILURES[source]


@pytest.mark.parametrize(
    "body", ["newparam(" + "!" * 90_000 + "x)", "a = [0]\n" + "a += a\n" * 40, "-> " * 5000]
)
def test_a_source_that_takes_too_long_is_open(body: str) -> None:
    declared = read_ruby("kit", f"Puppet::Type.newtype(:kit) do\n{body}\nnewparam(*a)\nend")
    assert declared is None or not declared.complete


@pytest.mark.parametrize(
    "body",
    [
        *(
            "def\nx\nend",
            "class << self\n def;\n end\nend",
            "class << self\nend",
            "x = 1.%w[a]",
            "newparam(:a) { desc }",
        ),
        *(
            "newparam(,)",
            "newparam(:b, [1] => 2)",
            "[:a].each { |%w[x y]| newparam(:b) }",
            "newparam(:a) { newvalues }",
        ),
        "def self.title_patterns\n [[/x/, [[:a, lambda { }]]]]\nend",
    ],
)
def test_attributes_after_invalid_ruby_are_read(body: str) -> None:
    assert "c" in read_type(f"{body}\nnewparam(:c)").attributes


def test_the_lexer_returns_the_tokens_of_ruby() -> None:
    text = (
        "a /b/ ? c[1] / 2 : :d; e? %w[x y] % f <<~G, h: 'i'\n  j #{k}\nG\n"
        '@l = $m ? ?n : "o#{p { "}" }}q"\n__END__\n!'
    )
    kinds = [token.kind for token in RubyLexer(text).read() if token.kind not in ("operator", "line")]
    assert kinds == [
        *("name", "regexp", "name", "number", "number", "symbol"),
        *("name", "words", "name", "text", "label", "text", "variable", "variable", "text", "text"),
    ]


# --- in catalogs

ONE_NAMEVAR = "newparam(:name)\nnewproperty(:b)"
TWO_NAMEVARS = (
    "newparam(:name)\nnewparam(:b) { isnamevar }\n"
    "def self.title_patterns\n [[/^(a+)-(b+)$/, [[:name], [:b]]], [/x/, []]]\nend"
)
PROGRAMS: list[tuple[str, str, Any]] = [
    (ONE_NAMEVAR, "kit { 'a': b => 1 }", ["Kit[a] { b => 1 }"]),
    (ONE_NAMEVAR, "kit { 'a': name => 'b' }", ["Kit[a] { name => 'b' }"]),
    (
        ONE_NAMEVAR,
        "kit { 'a':\n b => 1,\n nope => 1 }",
        "no parameter named 'nope' (line: 1) on Kit[a] (line: 1)",
    ),
    (
        ONE_NAMEVAR,
        "kit { 'a': }\nkit { 'b': name => 'a' }",
        'Cannot alias Kit[b] to ["a"] at (line: 2); resource ["Kit", "a"] already declared (line: 1)'
        " (line: 2, column: 1)",
    ),
    (
        f"{ONE_NAMEVAR}\n@isomorphic = false",
        "kit { 'a': }\nkit { 'b': name => 'a' }",
        ["Kit[a]", "Kit[b] { name => 'a' }"],
    ),
    ("newparam(:path, namevar: true)", "kit { 'a': }", ["Kit[a] { path => 'a' }"]),
    (TWO_NAMEVARS, "kit { 'aa-b': tag => 'x' }", ["Kit[aa-b] { b => 'b', name => 'aa', tag => 'x' }"]),
    (TWO_NAMEVARS, "kit { 'aa-b': b => 'c' }", ["Kit[aa-b] { b => 'c', name => 'aa' }"]),
    (TWO_NAMEVARS, "kit { 'aa-b': b => undef }", ["Kit[aa-b] { b => 'b', name => 'aa' }"]),
    (
        TWO_NAMEVARS,
        "\nkit { 'nomatch': }",
        'No set of title patterns matched the title "nomatch". (line: 2, column: 1)',
    ),
    (
        TWO_NAMEVARS,
        "kit { 'aa-b': }\nkit { 'x': name => 'aa', b => 'b' }",
        'Cannot alias Kit[x] to ["b", "aa"] at (line: 2); resource ["Kit", "b", "aa"] already declared (line: 1)'
        " (line: 2, column: 1)",
    ),
    (
        "newproperty(:b)",
        "kit { 'a': }",
        'No set of title patterns matched the title "a". (line: 1, column: 1)',
    ),
    ("list.each { |n| newparam(n) }", "kit { 'a': nope => 1 }", ["Kit[a] { nope => 1 }"]),
    ("def +@\nend", "kit { 'a': nope => 1 }", ["Kit[a] { nope => 1 }"]),
]


def make_files(name: str, body: str) -> dict[str, str]:
    """Return the path and the source of a type in the module `m`."""
    return {f"m/lib/puppet/type/{name}.rb": f"Puppet::Type.newtype(:{name}) do\n{body}\nend\n"}


@pytest.mark.parametrize(("body", "source", "expected"), PROGRAMS)
def test_titles_and_attributes_of_a_type_are_checked(
    tmp_path: Path, body: str, source: str, expected: Any
) -> None:
    session = Session(dialect="puppet", modulepath=[write_files(tmp_path, make_files("kit", body))])
    outcome = session.run(source)
    if isinstance(expected, str):
        assert str(outcome.error).removeprefix("Error while evaluating a Resource Statement, ") == expected
    else:
        assert outcome.error is None
        assert session.catalog().summary() == expected


def test_attributes_from_the_title_come_first_in_the_catalog(tmp_path: Path) -> None:
    session = Session(dialect="puppet", modulepath=[write_files(tmp_path, make_files("kit", TWO_NAMEVARS))])
    session.run("kit { 'aa-b': tag => 'x', name => 'c' }")
    *_, resource = session.catalog().to_json()["resources"]
    assert list(resource["parameters"].items()) == [("name", "c"), ("b", "b"), ("tag", "x")]


def test_the_type_of_a_module_hides_the_built_in_type(tmp_path: Path) -> None:
    files = make_files("concat_file", "newparam(:name)\nnewparam(:create_empty_file)")
    session = Session(dialect="puppet", modulepath=[write_files(tmp_path, files)])
    assert session.run("concat_file { 'a': create_empty_file => true }").error is None
    assert "no parameter named 'owner'" in str(session.run("concat_file { 'b': owner => 'x' }").error)


def test_the_first_module_of_the_path_defines_the_type(tmp_path: Path) -> None:
    first = write_files(tmp_path / "first", make_files("kit", "newparam(:name)\nnewparam(:a)"))
    second = write_files(tmp_path / "second", make_files("kit", "newparam(:name)\nnewparam(:b)"))
    session = Session(dialect="puppet", modulepath=[first, second])
    assert session.run("kit { 'a': a => 1 }").error is None
    assert session.run("kit { 'b': b => 1 }").error is not None


def test_a_type_with_providers_has_the_attribute_provider(tmp_path: Path) -> None:
    root = write_files(
        tmp_path,
        make_files("kit", ONE_NAMEVAR)
        | make_files("other", ONE_NAMEVAR)
        | {"n/lib/puppet/provider/kit/x.rb": ""},
    )
    session = Session(dialect="puppet", modulepath=[root])
    assert session.run("kit { 'a': provider => 'x' }").error is None
    assert session.run("other { 'a': provider => 'x' }").error is not None


def test_generated_types_of_an_environment_are_read(tmp_path: Path) -> None:
    text = """# made
    Puppet::Resource::ResourceType3.new(
      'kit',
      [ Puppet::Resource::Param(Enum['present'], 'ensure'), Puppet::Resource::Param(Any, 'b') ],
      [ Puppet::Resource::Param(Any, 'name', true), Puppet::Resource::Param(Any, 'c', true) ],
      { /(?m-ix:(.*)=(.*))/ => ['name', 'c'] },
      true,
      false)"""
    files = {
        "e/.resource_types/kit.pp": text,
        **{f"e/modules/{k}": v for k, v in make_files("kit", "").items()},
    }
    write_files(tmp_path, files)
    session = Session(dialect="puppet", environment=tmp_path / "e")
    assert session.run("kit { 'a=b': b => 1 }").error is None
    assert session.catalog().summary() == ["Kit[a=b] { b => 1, c => 'b', name => 'a' }"]
    assert "no parameter named 'd'" in str(session.run("kit { 'b=b': d => 1 }").error)


def test_a_changed_source_is_read_again(tmp_path: Path) -> None:
    write_files(tmp_path, make_files("kit", "newparam(:name)"))
    session = Session(dialect="puppet", modulepath=[tmp_path])
    assert session.run("kit { 'a': new => 1 }").error is not None
    write_files(tmp_path, make_files("kit", "newparam(:name)\nnewparam(:new)"))
    assert session.run("kit { 'b': new => 1 }").error is None


def test_a_link_to_a_source_outside_the_module_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret.rb"
    outside.write_text("Puppet::Type.newtype(:kit) do\n newparam(:name)\nend", encoding="utf-8")
    folder = tmp_path / "modules/m/lib/puppet/type"
    folder.mkdir(parents=True)
    (folder / "kit.rb").symlink_to(outside)
    session = Session(dialect="puppet", modulepath=[tmp_path / "modules"])
    assert "Unknown resource type" in str(session.run("kit { 'a': }").error)
