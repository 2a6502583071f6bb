# frozen_string_literal: true

# What the released Puppet makes of nodes: one environment, which keeps what it has read, and one node after the other.
#
#   ruby released.rb PROGRAM MODULEPATH FACTS ROUNDS CATALOGS
#
# FACTS is JSON, node -> facts. Prints {"seconds": CPU seconds of each round, all nodes once, after a round that is not
# counted; "catalogs": node -> catalog as the agent gets it}; no catalogs unless CATALOGS is "yes".

require_relative '../released/home'

Puppet::Util::Log.level = :err

def catalog_of(environment, name, facts)
  node = Puppet::Node.new(name, environment: environment)
  node.fact_merge(Puppet::Node::Facts.new(name, JSON.parse(facts)))
  node.trusted_data = Puppet::Context::TrustedInformation.new('local', name, {}).to_h
  compiler = Puppet::Parser::Compiler.new(node)
  scopes = { current_environment: environment, global_scope: compiler.topscope, loaders: compiler.loaders }
  Puppet.override(scopes) { compiler.compile.filter(&:virtual?).to_resource.to_data_hash.to_json }
end

program, modulepath, facts, rounds, wanted = ARGV
nodes = JSON.parse(File.read(facts)).transform_values(&:to_json)
Puppet[:code] = File.read(program)
environment = Puppet::Node::Environment.create(:production, modulepath.split(':'))
Puppet.override(environments: Puppet::Environments::Static.new(environment)) do
  catalogs = nodes.to_h { |name, known| [name, catalog_of(environment, name, known)] }
  seconds = Array.new(rounds.to_i) do
    GC.start
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    nodes.each { |name, known| catalog_of(environment, name, known) }
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  end
  found = wanted == 'yes' ? catalogs.transform_values { |text| JSON.parse(text) } : {}
  puts JSON.generate({ seconds: seconds, catalogs: found })
end
