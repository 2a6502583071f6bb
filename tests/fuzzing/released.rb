# frozen_string_literal: true

# What the released Puppet's parser and validator say: one JSON object {"source", "epp"} per line in, one out:
# {"pn", "logs"}, {"error", "logs"} or {"crash", "logs"} when its own code fails.

require 'json'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/model/pn_transformer'
require 'puppet/pops/pn'
require 'tmpdir'
require 'fileutils'

HOME = Dir.mktmpdir('fuzzing')
at_exit { FileUtils.rm_rf(HOME) }
Puppet.initialize_settings(['--confdir', "#{HOME}/conf", '--vardir', "#{HOME}/var"])

# Keeps the messages about one program.
class Messages
  def self.list
    @list ||= []
  end
end
Puppet::Util::Log.newdesttype(:messages) do
  match 'Messages'
  def initialize(_); end

  def handle(message)
    place = message.pos ? " (line: #{message.line}, column: #{message.pos})" : ''
    Messages.list << "#{message.level}: #{message.message}#{place}"
  end
end
Puppet::Util::Log.close_all
Puppet::Util::Log.newdestination(Messages.new)
Puppet::Util::Log.level = :notice

MANIFEST = Puppet::Pops::Parser::EvaluatingParser.new
TEMPLATE = Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new

def plain(message)
  message.dup.force_encoding('UTF-8').scrub('?').gsub(/\(file: [^,)]*, /, '(').gsub(/ ?\(file: [^)]*\)/, '').strip
end

# Nil for what it cannot print: it fails at a parameter that takes the rest.
def notation(program)
  Puppet::Pops::Model::PNTransformer.transform(program).format(nil, +'')
rescue NoMethodError
  nil
end

def answer(request)
  Messages.list.clear
  Puppet.clear_deprecation_warnings
  found =
    begin
      { pn: notation((request['epp'] ? TEMPLATE : MANIFEST).parse_string(request['source'], nil)) }
    rescue Puppet::Error, RegexpError => e
      { error: plain(e.message) }
    rescue StandardError, ScriptError, SystemStackError => e
      { crash: "#{e.class}: #{plain(e.message)}" }
    end
  found.merge(logs: Messages.list.map { |text| plain(text) })
end

$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
