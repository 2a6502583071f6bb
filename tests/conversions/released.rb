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

def evaluate(source)
  Puppet[:code] = source
  environment = Puppet::Node::Environment.create(:production, [])
  node = Puppet::Node.new('testnode', environment: environment)
  Puppet::Parser::Compiler.compile(node)
  { value: text(KeepsValue.value) }
rescue StandardError => e
  { error: e.message }
end

Puppet::Util::Log.level = :crit
$stdin.each_line { |line| puts JSON.generate(evaluate(JSON.parse(line))) }
