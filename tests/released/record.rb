# frozen_string_literal: true

# Loaded by RSpec before the examples of Puppet's own suite: writes each source that they parse to the file named by
# RECORD, as a line of JSON.

require 'json'
require 'puppet'
require 'puppet/pops'

# Keeps what is parsed.
module RecordsSources
  SOURCES = File.open(ENV.fetch('RECORD'), 'a')

  def self.keep(source)
    return unless source.is_a?(String) && source.valid_encoding?

    SOURCES.puts JSON.generate(source)
    SOURCES.flush
  end

  def parse_string(source, *)
    RecordsSources.keep(source)
    super
  end

  def parse_file(path)
    RecordsSources.keep(File.read(path, encoding: 'UTF-8')) if path.end_with?('.pp') && File.file?(path)
    super
  end
end
Puppet::Pops::Parser::Parser.prepend(RecordsSources)
Puppet::Pops::Parser::EvaluatingParser.prepend(RecordsSources)
