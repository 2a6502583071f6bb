# frozen_string_literal: true

# What the released Puppet makes of programs: reads a JSON array of sources, prints a JSON array of answers.
# An answer is {"summary": [...], "catalog": {...}} or {"error": "..."}.

require_relative '../released/home'
require_relative '../released/summary'

Puppet::Util::Log.level = :emerg

def answer(source)
  folder = "#{HOME}/environments/production"
  FileUtils.mkdir_p(["#{folder}/modules", "#{folder}/manifests"])
  environments = Puppet::Environments::Directories.new("#{HOME}/environments", [])
  Puppet.override({ environments: environments }, 'catalogs') do
    Puppet[:code] = source
    node = Puppet::Node.new('testnode', environment: environments.get('production'))
    node.add_server_facts({})
    compiler = Puppet::Parser::Compiler.new(node)
    catalog = Puppet.override({ global_scope: compiler.topscope, loaders: compiler.loaders }, 'catalogs') do
      compiler.compile
    end
    shown = catalog.resources.reject { |resource| BUILT_IN.include?(resource.ref) }
    { summary: shown.map { |resource| line(resource) },
      catalog: JSON.parse(catalog.filter(&:virtual?).to_resource.to_data_hash.to_json) }
  end
rescue StandardError => e
  { error: e.message.sub(/\s+on node \S+\s*\z/, '').gsub(/\(file: [^,)]*, /, '(').gsub(/#<([\w:]+):0x[0-9a-f]+[^>]*>/, '#<\1>') }
end

puts JSON.generate(JSON.parse($stdin.read).map { |source| answer(source) })
