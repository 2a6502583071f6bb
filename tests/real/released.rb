# frozen_string_literal: true

# Compiles programs with the released Puppet: one JSON object {"source", "facts", "modulepath"} per line in, one JSON
# object out: {"catalog": {...}} or {"error": "..."}. Problems that are only told on a catalog's way to JSON count too.

require_relative '../released/home'
require 'timeout'

Puppet::Util::Log.level = :emerg
SECONDS = 60

def compile(request)
  env = Puppet::Node::Environment.create(:production, request['modulepath'])
  Puppet.override({ environments: Puppet::Environments::Static.new(env), current_environment: env }, 'real') do
    Puppet[:code] = request['source']
    name = request['facts']['networking']['fqdn']
    Puppet[:certname] = name
    node = Puppet::Node.new(name, environment: env)
    node.fact_merge(Puppet::Node::Facts.new(name, request['facts']))
    node.add_server_facts({})
    node.trusted_data = Puppet::Context::TrustedInformation.new('local', name, {}).to_h
    compiler = Puppet::Parser::Compiler.new(node)
    Puppet.override({ global_scope: compiler.topscope, loaders: compiler.loaders }, 'real') do
      catalog = compiler.compile
      JSON.parse(catalog.filter(&:virtual?).to_resource.to_data_hash.to_json)
    end
  end
end

def answer(request)
  { catalog: Timeout.timeout(SECONDS) { compile(request) } }
rescue StandardError, ScriptError, SystemStackError => e
  { error: e.message.to_s.gsub(/#<([\w:]+):0x[0-9a-f]+[^>]*>/, '#<\1>').sub(/\s+on node \S+\s*\z/, '').rstrip }
end

$stdin.each_line do |line|
  puts JSON.generate(answer(JSON.parse(line)))
  $stdout.flush
end
