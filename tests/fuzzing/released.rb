# frozen_string_literal: true

# What the released Puppet's parser and validator say: one JSON object {"source", "epp"} per line in, one out:
# {"pn", "logs"}, {"error", "logs"} or {"crash", "logs"} when its own code fails.

require_relative '../released/home'
require_relative '../released/logs'
require 'puppet/pops'
require 'puppet/pops/model/pn_transformer'
require 'puppet/pops/pn'

Puppet::Util::Log.level = :notice

MANIFEST = Puppet::Pops::Parser::EvaluatingParser.new
TEMPLATE = Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new

def plain(message)
  message.dup.force_encoding('UTF-8').scrub('?').gsub(/\(file: [^,)]*, /, '(').gsub(/ ?\(file: [^)]*\)/, '').strip
end

def told(entry)
  place = entry.pos ? " (line: #{entry.line}, column: #{entry.pos})" : ''
  plain("#{entry.level}: #{entry.message}#{place}")
end

# Nil for what it cannot print: it fails at a parameter that takes the rest.
def notation(program)
  Puppet::Pops::Model::PNTransformer.transform(program).format(nil, +'')
rescue NoMethodError
  nil
end

def answer(request)
  LOGS.clear
  Puppet.clear_deprecation_warnings
  found =
    begin
      { pn: notation((request['epp'] ? TEMPLATE : MANIFEST).parse_string(request['source'], nil)) }
    rescue Puppet::Error, RegexpError => e
      { error: plain(e.message) }
    rescue StandardError, ScriptError, SystemStackError => e
      { crash: "#{e.class}: #{plain(e.message)}" }
    end
  found.merge(logs: LOGS.map { |entry| told(entry) })
end

$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
