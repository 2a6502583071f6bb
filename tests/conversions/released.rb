# frozen_string_literal: true

# Evaluates Puppet programs with the released Puppet: JSON strings in, one per line; out, one per line,
# {"value": program text} or {"error": message}.

require_relative '../released/home'
require_relative '../released/text'
require 'puppet/pops'

# Remembers what a program evaluated to.
module KeepsValue
  class << self
    attr_accessor :value
  end

  def eval_Program(program, scope)
    super.tap { |value| KeepsValue.value = value }
  end
end
Puppet::Pops::Evaluator::EvaluatorImpl.prepend(KeepsValue)

# What defines something is compiled in an environment of its own, everything else evaluated in a scope of its own of one
# compiler, since making an environment takes most of the time.
DEFINITION = /\b(?:type|function|class|define|node|include|notify)\b/
COMPILER = Puppet::Parser::Compiler.new(
  Puppet::Node.new('testnode', environment: Puppet::Node::Environment.create(:production, []))
)

def evaluate(source)
  source.match?(DEFINITION) ? compile(source) : evaluate_in_scope(source)
  { value: text(KeepsValue.value) }
rescue StandardError => e
  { error: e.message }
end

def compile(source)
  Puppet[:code] = source
  environment = Puppet::Node::Environment.create(:production, [])
  Puppet::Parser::Compiler.compile(Puppet::Node.new('testnode', environment: environment))
end

def evaluate_in_scope(source)
  Puppet.override(COMPILER.context_overrides, 'one program') do
    scope = COMPILER.newscope(COMPILER.topscope)
    Puppet::Pops::Parser::EvaluatingParser.new.evaluate_string(scope, source)
  end
end

Puppet::Util::Log.level = :crit
COMPILER.compile
$stdin.each_line { |line| puts JSON.generate(evaluate(JSON.parse(line))) }
