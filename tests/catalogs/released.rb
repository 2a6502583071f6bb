# frozen_string_literal: true

# What the released Puppet makes of programs: reads a JSON array of sources, prints a JSON array of answers.
# An answer is {"summary": [...], "catalog": {...}, "logs": [...]} or {"error": "...", "logs": [...]}. A log line is
# "level: message".

require_relative '../released/home'
require_relative '../released/logs'
require_relative '../released/summary'

Puppet::Util::Log.level = :info

def plain(message)
  message.to_s.gsub(/\(file: (?!inlined)[^,)]*, /, '(').gsub(/ ?\(file: (?!inlined)[^)]*\)/, '').gsub(/#<([\w:]+):0x[0-9a-f]+[^>]*>/, '#<\1>').rstrip
end

def logged
  shown = LOGS.reject { |entry| entry.level == :info && entry.message.start_with?('Loading facts', 'Caching') }
  shown.map { |entry| "#{entry.level}: #{plain(entry.message)}" }
end

def answer(source)
  LOGS.clear
  Puppet.clear_deprecation_warnings
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
    written = JSON.parse(catalog.filter(&:virtual?).to_resource.to_data_hash.to_json)
    { summary: shown.map { |resource| line(resource) }, catalog: written, logs: logged }
  end
rescue StandardError, ScriptError => e
  { error: plain(e.message.sub(/\s+on node \S+\s*\z/, '')), logs: logged }
end

puts JSON.generate(JSON.parse($stdin.read).map { |source| answer(source) })
