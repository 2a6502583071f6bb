# frozen_string_literal: true

# Answers Puppet programs as the released Puppet does: one JSON string (a source) per line in, one JSON object out:
# {"value", "type", "logs"}, {"error", "logs"} or {"endless": true}. The value is in program form, a log line is
# "level: message".

require_relative '../released/home'
require_relative '../released/logs'
require_relative '../released/summary'
require 'timeout'

FOLDER = "#{HOME}/environments/production"
FileUtils.mkdir_p(["#{FOLDER}/modules", "#{FOLDER}/manifests"])

SECONDS = 2
Process.setrlimit(:AS, 2 * 1024**3)

Puppet::Util::Log.level = :info

# Keeps what the manifest evaluated to.
module LastValue
  class << self
    attr_accessor :value, :known
  end

  def eval_Program(*arguments)
    super.tap do |value|
      LastValue.value = value unless LastValue.known
      LastValue.known = true
    end
  end
end
Puppet::Pops::Evaluator::EvaluatorImpl.prepend(LastValue)

alias literal_of_others literal

def literal(value)
  case value
  when Puppet::Pops::Time::TimeData then "#{value.class.name.split('::').last}('#{value}')"
  when Puppet::Pops::Types::PAnyType then value.to_s
  else literal_of_others(value)
  end
end

def plain(message)
  message.to_s.gsub(/#<([\w:]+):0x[0-9a-f]+[^>]*>/, '#<\1>').gsub(HOME, '')
         .gsub(/\(file: (?!inlined)[^,)]*, /, '(').gsub(/ ?\(file: (?!inlined)[^)]*\)/, '').sub(/\s+on node \S+\s*\z/, '').rstrip
end

def compile(source)
  environments = Puppet::Environments::Cached.new(Puppet::Environments::Directories.new("#{HOME}/environments", []))
  Puppet.override({ environments: environments }, 'differential') do
    Puppet[:code] = source
    node = Puppet::Node.new('testnode', environment: environments.get('production'))
    node.fact_merge(Puppet::Node::Facts.new('testnode', 'os' => { 'family' => 'Debian' }))
    node.add_server_facts({})
    compiler = Puppet::Parser::Compiler.new(node)
    catalog = Puppet.override({ global_scope: compiler.topscope, loaders: compiler.loaders }, 'differential') do
      compiler.compile
    end
    begin
      catalog.filter(&:virtual?).to_resource.to_data_hash # logs which values become strings
    rescue StandardError
      nil # some types have no JSON
    end
  end
ensure
  environments.clear_all
end

def answer(source)
  LOGS.clear
  Puppet.clear_deprecation_warnings
  LastValue.known = false
  LastValue.value = nil # a program without statements is not evaluated
  begin
    Timeout.timeout(SECONDS) { compile(source) }
    found = { value: literal(LastValue.value), type: Puppet::Pops::Types::TypeCalculator.infer(LastValue.value).to_s }
  rescue Timeout::Error, NoMemoryError
    return { endless: true }
  rescue StandardError, ScriptError, SystemStackError => e
    found = { error: plain(e.message) }
  end
  shown = LOGS.reject { |entry| entry.level == :info && entry.message.start_with?('Loading facts', 'Caching') }
  found.merge(logs: shown.map { |entry| "#{entry.level}: #{plain(entry.message)}" })
end

$stdout.sync = true
$stdin.each_line do |line|
  told = JSON.generate(answer(JSON.parse(line))) rescue JSON.generate(unprintable: true)
  puts told
end
