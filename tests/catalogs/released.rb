# frozen_string_literal: true

# What the released Puppet makes of programs: reads a JSON array of sources, prints a JSON array of answers.
# An answer is {"summary": [...], "catalog": {...}} or {"error": "..."}.

require 'json'
require 'tmpdir'
require 'puppet'

scratch = Dir.mktmpdir('catalogs')
at_exit { FileUtils.rm_rf(scratch) }
Puppet.initialize_settings(['--confdir', "#{scratch}/conf", '--vardir', "#{scratch}/var"])
Puppet::Util::Log.level = :emerg
BUILT_IN = %w[Stage[main] Class[Settings] Class[main]].freeze

def literal(value)
  case value
  when nil, :undef then 'undef'
  when :default then 'default'
  when Puppet::Resource then value.ref
  when Array then "[#{value.map { |item| literal(item) }.join(', ')}]"
  when Hash then "{#{value.map { |key, item| "#{literal(key)} => #{literal(item)}" }.join(', ')}}"
  else Puppet::Pops::Types::StringConverter.singleton.convert(value, '%p')
  end
end

def line(resource)
  shown = resource.to_hash.reject { |name, value| %i[name title].include?(name) && value == resource.title }
  attributes = shown.map { |name, value| "#{name} => #{literal(value)}" }.sort
  mark = resource.virtual? ? (resource.exported? ? '@@' : '@') : ''
  attributes.empty? ? mark + resource.ref : "#{mark}#{resource.ref} { #{attributes.join(', ')} }"
end

def answer(source, scratch)
  folder = "#{scratch}/environments/production"
  FileUtils.mkdir_p(["#{folder}/modules", "#{folder}/manifests"])
  environments = Puppet::Environments::Directories.new("#{scratch}/environments", [])
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

puts JSON.generate(JSON.parse($stdin.read).map { |source| answer(source, scratch) })
