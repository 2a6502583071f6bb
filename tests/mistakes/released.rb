# frozen_string_literal: true

# What the released Puppet says of programs: reads a JSON array of sources, prints a JSON array of answers.
# An answer is the message that compiling ends in, or that making the catalog fit for applying does; warnings
# where nothing fails, and "" where nothing is said. Nothing is applied.

require_relative '../released/home'
require_relative '../released/logs'

def answer(source)
  LOGS.clear
  folder = "#{HOME}/environments/production"
  FileUtils.mkdir_p(["#{folder}/modules", "#{folder}/manifests"])
  modules = (ENV['MODULEPATH'] || '').split(':')
  environments = Puppet::Environments::Static.new(Puppet::Node::Environment.create(:production, modules))
  Puppet.override({ environments: environments, current_environment: environments.get(:production) }, 'mistakes') do
    Puppet[:code] = source
    node = Puppet::Node.new('testnode', environment: environments.get(:production))
    node.add_server_facts({})
    compiler = Puppet::Parser::Compiler.new(node)
    catalog = Puppet.override({ global_scope: compiler.topscope, loaders: compiler.loaders }, 'mistakes') do
      compiler.compile
    end
    graph = catalog.filter(&:virtual?).to_ral
    graph.finalize
    graph.relationship_graph(Puppet::Graph::SequentialPrioritizer.new).report_cycles_in_graph
    LOGS.select { |entry| entry.level == :warning }.map(&:message).join(' ')
  end
rescue StandardError, Puppet::Error => e
  e.message.sub(/\s+on node \S+\s*\z/, '')
end

puts JSON.generate(JSON.parse($stdin.read).map { |source| answer(source).gsub(/\(file: [^,)]*, /, '(').gsub(HOME, '').gsub(/\(file: [^)]*\)/, '').gsub(/\s+/, ' ').strip })
