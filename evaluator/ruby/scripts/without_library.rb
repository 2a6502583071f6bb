# frozen_string_literal: true

# `--disable=gems` omits it; the released Puppet's messages about unknown names end with its suggestions
begin
  require 'did_you_mean'
rescue LoadError
  nil
end

# Messages are not translated.
module Kernel
  private

  def _(text)
    text
  end

  def n_(singular, plural, number)
    number == 1 ? singular : plural
  end
end

# Without the released Puppet's library: the parts of it that code of modules uses.
module Puppet
  # The base class of Puppet's exceptions.
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message, original = nil)
      super(message)
      @original = original
    end
  end

  # An error with a position.
  class ParseError < Error
    attr_accessor :file, :line, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      super(message, original)
      @file = file
      @line = line
      @pos = pos
    end
  end

  class DevError < Error; end
  class ExecutionFailure < Error; end
  class ResourceError < Error; end

  module DataBinding
    class LookupError < Error; end
  end

  class << self
    attr_reader :version

    def features
      Companion::Features.new
    end

    def settings
      { strict: @strict, environment: 'production', node_name: 'cert', vardir: Companion::Vardir::PATH }
    end

    def [](name)
      settings[name]
    end

    def warn_once(_kind, key, message, file = nil, line = nil)
      place = file || line ? '' : "\n   (file & line not available)"
      (@warned ||= Set.new).add?(key) && warning("#{message}#{place}")
    end

    def deprecation_warning(message, key = message)
      warn_once('deprecations', key, message, :default, :default)
    end

    # Takes the settings of a program, and forgets the warnings of the former one.
    def begin_program(settings)
      @strict, @version = settings['strict'].to_sym, settings['version']
      @warned = nil
    end

    def debug(*); end

    %i[info notice warning err alert crit emerg].each do |level|
      define_method(level) { |message = nil, &block| Companion.evaluator.log(level, message || block&.call) }
    end
  end

  # A resource, or a reference to one.
  class Resource
    attr_reader :type, :title, :parameters
    alias to_hash parameters

    def self.type_and_title(reference, title = nil)
      return [reference.to_s, title.to_s] if title

      found = /\A([^\[\]]+)\[(.+)\]\z/m.match(reference.to_s)
      raise ArgumentError, "No title provided and #{reference.inspect} is not a valid resource reference" unless found

      [found[1], found[2]]
    end

    def initialize(type, title = nil, attributes = {})
      type, title = Resource.type_and_title(type) if title.nil?
      @type = type.to_s.split('::').map(&:capitalize).join('::')
      @title = title
      @parameters = (attributes[:parameters] || {}).transform_keys(&:to_sym)
    end

    def [](name)
      name.to_s == 'title' ? title : parameters[name.to_sym]
    end

    def []=(name, value)
      parameters[name.to_sym] = value
    end

    def ref
      shown = type == 'Class' ? title.to_s.split('::').map(&:capitalize).join('::') : title
      "#{type}[#{shown}]"
    end
    alias to_s ref
  end

  # Tools that modules use.
  module Util
    ABSOLUTE = { posix: %r{\A/}, windows: %r{\A(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+|[\\/]{2}\?[\\/])} }.freeze

    module_function

    def absolute_path?(path, platform = :posix)
      ABSOLUTE.fetch(platform).match?(path)
    end

    def deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end

    def deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end

    # Versions of packages.
    module Package
      module_function

      def versioncmp(left, right)
        Companion.evaluator.query('call', scope: 0, name: 'versioncmp', arguments: [left.to_s, right.to_s])
      end
    end

    # Commands.
    module Execution
      module_function

      def execute(command, **)
        output = IO.popen(command, err: %i[child out], &:read)
        return output if $CHILD_STATUS.nil? || $CHILD_STATUS.success?

        raise ExecutionFailure, "Execution of '#{Array(command).join(' ')}' returned #{$CHILD_STATUS.exitstatus}: #{output}"
      end
    end

    # JSON.
    module Json
      class ParseError < StandardError; end

      module_function

      def load(text, options = {})
        JSON.parse(text, options)
      rescue JSON::ParserError => e
        raise ParseError, e.message
      end
    end
  end

  # Files.
  module FileSystem
    module_function

    def exist?(path)
      File.exist?(path)
    end

    def read(path, options = {})
      File.read(path, **options)
    end
  end

  module Pops
    # Times are counted in nanoseconds.
    module Time
      # A length of time.
      class Timespan
        attr_reader :nsecs

        def initialize(nsecs)
          @nsecs = nsecs
        end

        def to_i
          nsecs / 1_000_000_000
        end

        def to_f
          nsecs.fdiv(1_000_000_000)
        end

        def to_s
          Companion.evaluator.query('text', value: Companion::Values.encode(self))
        end

        def ==(other)
          other.class == self.class && other.nsecs == nsecs
        end
        alias eql? ==

        def hash
          nsecs.hash
        end
      end

      class Timestamp < Timespan; end
    end

    # Types and their values.
    module Types
      class PAnyType; end

      class PSensitiveType < PAnyType
        # A value that must not be printed.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{self}>"
          end

          def ==(other)
            other.is_a?(Sensitive) && other.unwrap == unwrap
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      class PBinaryType < PAnyType
        # Bytes.
        class Binary
          attr_reader :binary_buffer

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def initialize(bytes)
            @binary_buffer = bytes.b
          end

          def to_s
            [binary_buffer].pack('m0')
          end

          def length
            binary_buffer.length
          end
        end
      end

      # Reads types.
      class TypeParser
        def self.singleton
          new
        end

        def parse(text, _context = nil)
          Companion.evaluator.query('type', text: text)
        end
      end

      # Tests instances of types.
      module TypeCalculator
        module_function

        def singleton
          self
        end

        def instance?(type, value)
          type.instance?(value)
        end

        def infer(value)
          Companion.evaluator.query('infer', value: Companion::Values.encode(value), detailed: false)
        end

        def infer_set(value)
          Companion.evaluator.query('infer', value: Companion::Values.encode(value), detailed: true)
        end
      end

      # Describes a mismatch of types.
      class TypeMismatchDescriber
        def self.singleton
          new
        end

        def describe_mismatch(name, expected, actual, *)
          Companion.evaluator.query('mismatch', name: name, expected: Companion::Values.encode(expected), actual: Companion::Values.encode(actual))
        end
      end
    end
  end
end

module SemanticPuppet
  # A version, or a range of them, by its text.
  class Version
    include Comparable
    attr_reader :major, :minor, :patch, :text
    alias to_s text

    def self.parse(text)
      new(text)
    end

    def initialize(text)
      @text = text
      @major, @minor, @patch = text.split(/[-+]/).first.split('.').map(&:to_i)
    end

    def <=>(other)
      return unless other.is_a?(Version)

      Companion.evaluator.query('call', scope: 0, name: 'compare', arguments: [{ v: text }, { v: other.text }])
    end
  end

  # A range of versions.
  class VersionRange
    attr_reader :text
    alias to_s text

    def self.parse(text)
      new(text)
    end

    def initialize(text)
      @text = text
    end
  end
end

module Companion
  # The features of the machine.
  class Features
    def respond_to_missing?(name, _private = false)
      name.end_with?('?')
    end

    def method_missing(name, *_arguments)
      return super unless name.end_with?('?')

      require name.to_s.chomp('?')
      true
    rescue LoadError
      false
    end
  end

  class GivenError < Puppet::ParseError
    include Raised
  end

  # The types of the evaluator.
  module Library
    module_function

    def type(source, number, _key)
      GivenType.new(source, number)
    end

    def begin_program(_libraries, settings)
      Puppet.begin_program(settings)
    end
  end
end
