# frozen_string_literal: true

# Answers programs as the released Puppet does, with the modules of a folder: one JSON string (a source) per line in,
# one JSON object out: {"value", "logs", "resources"} or {"error", "logs"}.

require_relative '../released/home'

FOLDER = "#{HOME}/environments/production"
FileUtils.mkdir_p("#{FOLDER}/manifests")
FileUtils.ln_s(ARGV[0], "#{FOLDER}/modules")
File.write("#{FOLDER}/hiera.yaml", File.read("#{ARGV[0]}/../hiera.yaml"))
LOGS = [] # rubocop:disable Style/MutableConstant

class Destination; end
Puppet::Util::Log.newdesttype(:kept) do
  match 'Destination'
  def initialize(_given); end

  def handle(message)
    LOGS << "#{message.level}: #{plain(message.message)}"
  end
end
Puppet::Util::Log.close_all
Puppet::Util::Log.newdestination(Destination.new)
Puppet::Util::Log.level = :info

# Keeps what a manifest evaluates to.
module LastValue
  class << self
    attr_accessor :values
  end
  def eval_Program(*arguments)
    super.tap { |value| LastValue.values << value }
  end
end
Puppet::Pops::Evaluator::EvaluatorImpl.prepend(LastValue)

def plain(message)
  message.to_s.delete_prefix('Evaluation Error: ').gsub('file: unknown, ', '').gsub(FOLDER, '').gsub(/0x[0-9a-f]{8,}/, '0x').sub(/\s+on node \S+\s*\z/, '').rstrip
end

def compile(source)
  environments = Puppet::Environments::Directories.new("#{HOME}/environments", [])
  Puppet.override({ environments: environments }, 'released') do
    Puppet[:code] = source
    environment = environments.get('production')
    node = Puppet::Node.new('testnode', environment: environment)
    node.fact_merge(Puppet::Node::Facts.new('testnode', 'os' => { 'family' => 'Debian' }, 'role' => 'web'))
    node.add_server_facts({})
    Puppet::Parser::Compiler.new(node).compile
  end
end

def summary(resource)
  parameters = resource.to_hash.reject { |name, _| name == :name }
  shown = parameters.map { |name, value| "#{name} => #{value}" }
  "#{'@' if resource.virtual}#{resource.ref} #{shown.sort.join(', ')}".strip
end

def answer(source)
  LOGS.clear
  LastValue.values = []
  catalog = compile(source)
  value = Puppet::Pops::Types::StringConverter.singleton.convert(LastValue.values.last, '%p')
  resources = catalog.resources.reject { |one| one.ref =~ /\A(Stage|Class)\[(main|settings)\]/i }
  { value: plain(value), logs: LOGS.dup, resources: resources.map { |one| summary(one) }.sort }
rescue Exception => e # rubocop:disable Lint/RescueException
  { error: plain(e.message), logs: LOGS.reject { |line| line.start_with?('err: ') } }
end

out = $stdout.dup
$stdout.reopen(File::NULL)
$stdin.each_line do |line|
  out.puts(JSON.generate(answer(JSON.parse(line, quirks_mode: true))))
  out.flush
end
