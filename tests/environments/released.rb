# frozen_string_literal: true

# What the released Puppet makes of environments: reads a JSON array of questions, prints a JSON array of answers.
# A question names the directory, the node, its facts, what a classifier says of it, what other nodes have exported
# (as PuppetDB answers it; the store is then one of this file's making), and the extensions of its certificate. An answer is
# {"summary": [...], "edges": [...], "classes": [...], "tags": [...], "settings": {...}, "logs": [...]} or
# {"error": "...", "logs": [...]};
# of a question for the whole, {"catalog": {...}, "summary": [...], "logs": [...]}.

require_relative '../released/home'
require_relative '../released/summary'
require_relative '../released/logs'

Puppet::Util::Log.level = :notice
SHOWN = %i[environment manifest modulepath environmentpath].freeze

# Whether a resource of the store fits a query as collectors pass it on: [name, operator, value], [query, and/or, query].
def fits?(resource, query)
  return true if query.nil?

  left, operator, right = query
  return [left, right].public_send(operator == 'and' ? :all? : :any?) { |part| fits?(resource, part) } if left.is_a?(Array)
  return resource['tags'].include?(right.to_s.downcase) if left == 'tag'

  actual = left == 'title' ? resource['title'] : resource['parameters'][left]
  (actual == right) == (operator == '==')
end

# A resource of the store as a terminus gives it to a collector.
def collected(resource, scope)
  parameters = resource['parameters'].map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
  made = Puppet::Parser::Resource.new(resource['type'], resource['title'], parameters: parameters, scope: scope)
  made.tag(*resource['tags'])
  made.exported = true
  made.collector_id = resource.values_at('certname', 'type', 'title').join('|')
  made
end

def store(resources)
  Puppet[:storeconfigs] = !resources.nil?
  Puppet::Resource.indirection.define_singleton_method(:search) do |type, options|
    found = resources.select do |one|
      one['type'] == type && one['exported'] && one['certname'] != options[:host] && fits?(one, options[:filter])
    end
    found.map { |one| collected(one, options[:scope]) }
  end
end

def compiled(question)
  store(question['exported'])
  folder = question['environment']
  base = question['basemodulepath'] || []
  Puppet.settings[:environmentpath] = File.dirname(folder)
  Puppet.settings[:basemodulepath] = base.join(':')
  environments = Puppet::Environments::Cached.new(Puppet::Environments::Directories.new(File.dirname(folder), base))
  Puppet.override({ environments: environments }, 'environments') do
    environment = environments.get(File.basename(folder))
    name = question['node']
    node = Puppet::Node.new(name, environment: environment, classes: question['classes'] || [],
                                  parameters: question['parameters'] || {})
    node.fact_merge(Puppet::Node::Facts.new(name, question['facts'] || {}))
    node.add_server_facts({})
    node.trusted_data = Puppet::Context::TrustedInformation.new('local', name, question['extensions'] || {}).to_h
    Puppet[:certname] = name
    compiler = Puppet::Parser::Compiler.new(node)
    Puppet.override({ current_environment: environment, global_scope: compiler.topscope,
                      loaders: compiler.loaders }, 'environments') { [compiler, compiler.compile] }
  end
end

def logged
  LOGS.map { |entry| "#{entry.level}: #{entry.message}" }
end

def answer(question)
  LOGS.clear
  Puppet.clear_deprecation_warnings
  compiler, catalog = compiled(question)
  shown = catalog.resources.reject { |resource| BUILT_IN.include?(resource.ref) }
  data = JSON.parse(catalog.filter(&:virtual?).to_resource.to_data_hash.to_json)
  return { catalog: data, summary: shown.map { |resource| line(resource) }, logs: LOGS.dup } if question['whole']

  settings = SHOWN.to_h { |name| [name, compiler.topscope["settings::#{name}"]] }
  { summary: shown.map { |resource| line(resource) }, edges: data['edges'], classes: data['classes'],
    tags: data['tags'], settings: settings, logs: logged }
rescue StandardError, ScriptError, SystemStackError => e
  { error: e.message.sub(/\s+on node \S+\s*\z/, ''), logs: logged }
end

puts JSON.generate(JSON.parse($stdin.read).map { |question| answer(question) })
