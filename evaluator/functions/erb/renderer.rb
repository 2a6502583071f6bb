# frozen_string_literal: true

# Renders ERB templates for evaluator/erb/__init__.py, which it speaks to in lines of JSON:
#   << {"text", "file" | null, "variables": [[name, value], ...]}          a template to render
#   >> {"ask": "variable" | "known" | "valued" | "all" | "classes" | "call", ...}   << {"value"} or {"raise", "unknown"}
#   << {"yield": block, "arguments"}   while a call is answered               >> {"value"} or {"raise"}
#   >> {"text"} or {"raise", "line", "file"}                                the end of a template
# A value is JSON's own, or {"h": pairs} (hash), {"r": source} (Regexp), {"s": value} (Sensitive), {"d": 1} (default),
# {"o": number, "class", "text"} (anything else; the number names it on the way back).

require 'erb'
require 'json'
require 'set'
require 'time'
require 'uri'
require 'yaml'

# what templates find loaded elsewhere
autoload :Base64, 'base64'
autoload :Digest, 'digest'
autoload :IPAddr, 'ipaddr'
autoload :OpenSSL, 'openssl'
autoload :SecureRandom, 'securerandom'

module Puppet
  class Error < StandardError; end
  class ParseError < Error; end

  # A value that Ruby can only print and hand back.
  class Opaque
    attr_reader :number

    def initialize(given)
      @number, @class_name, @text = given.values_at('o', 'class', 'text')
    end

    def to_s
      @text
    end

    def inspect
      "#<#{@class_name} #{@text}>"
    end
  end

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
  end

  # The evaluator on the other side of the pipes.
  class Evaluator
    def initialize(input, output)
      @input = input
      @output = output
      @blocks = []
    end

    def each_template
      while (line = @input.gets)
        yield read(line)
      end
    end

    def tell(message)
      @output.puts(JSON.generate(message, allow_nan: true))
      @output.flush
    end

    def ask(what, block: nil, **details)
      @blocks.push(block)
      tell({ ask: what, block: block && signature(block) }.merge(details))
      loop do
        answer = read(@input.gets || exit!)
        next run_block(answer) if answer.key?('yield')
        next Parser.render(self, answer) if answer.key?('text')
        return Values.decode(answer['value']) if answer.key?('value')

        raise(answer['unknown'] ? NoMethodError : Error, answer['raise'])
      end
    ensure
      @blocks.pop
    end

    private

    def signature(block)
      kinds = block.parameters.map(&:first)
      { number: @blocks.size - 1, takes: kinds.count { |kind| %i[req opt].include?(kind) }, splat: kinds.include?(:rest) }
    end

    def read(line)
      JSON.parse(line, max_nesting: false, allow_nan: true)
    end

    def run_block(question)
      arguments = question['arguments'].map { |value| Values.decode(value) }
      tell(value: Values.encode(@blocks[question['yield']].call(*arguments)))
    rescue StandardError => e
      tell(raise: e.message)
    end
  end

  # Values of the two languages.
  module Values
    def self.decode(value)
      case value
      when Array then value.map { |entry| decode(entry) }
      when Hash then decode_tagged(value)
      else value
      end
    end

    def self.decode_tagged(value)
      case value.keys.first
      when 'h' then value['h'].to_h { |key, entry| [decode(key), decode(entry)] }
      when 'r' then Regexp.new(value['r'])
      when 's' then Sensitive.new(decode(value['s']))
      when 'd' then :default
      else Opaque.new(value)
      end
    end

    def self.encode(value)
      case value
      when nil, true, false, Integer, Float then value
      when Array then value.map { |entry| encode(entry) }
      when Hash then { h: value.map { |key, entry| [encode(key), encode(entry)] } }
      when Regexp then { r: value.source }
      when Sensitive then { s: encode(value.unwrap) }
      when Opaque then { o: value.number }
      when :default then { d: 1 }
      when :undef then nil
      else text(value)
      end
    end

    def self.text(value)
      text = value.to_s
      text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::BINARY
      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end
  end

  module Parser
    # What templates call `scope`.
    class Scope
      def initialize(evaluator)
        @evaluator = evaluator
      end

      def [](name)
        @evaluator.ask('variable', name: name.to_s)
      end

      def lookupvar(name, _options = {})
        self[name]
      end

      def include?(name)
        @evaluator.ask('valued', name: name.to_s)
      end

      def exist?(name)
        @evaluator.ask('known', name: name.to_s)
      end

      def to_hash
        @evaluator.ask('all')
      end

      def classes
        @evaluator.ask('classes')
      end

      def call_function(name, arguments, &block)
        arguments = [arguments] unless arguments.is_a?(Array)
        @evaluator.ask('call', block: block, name: name.to_s, arguments: Values.encode(arguments))
      end

      def inspect
        'Scope'
      end

      def respond_to_missing?(name, _private = false)
        name.start_with?('function_')
      end

      def method_missing(name, *arguments, &block)
        return super unless name.start_with?('function_')

        list = arguments.first
        raise ArgumentError, "#{name} takes one Array of arguments" unless arguments.size == 1 && list.is_a?(Array)

        call_function(name.to_s.delete_prefix('function_'), list, &block)
      end
    end

    # What a template is evaluated in.
    class TemplateWrapper
      attr_reader :scope, :file

      def initialize(scope, file, variables)
        @scope = scope
        @file = file
        variables.each { |name, value| instance_variable_set("@#{name}", Values.decode(value)) }
      end

      def has_variable?(name)
        scope.include?(name)
      end

      def classes
        scope.classes
      end

      def result(text)
        erb = ERB.new(text, trim_mode: '-')
        erb.filename = file if file
        erb.result(binding)
      end

      def to_s
        "template[#{file || 'inline'}]"
      end

      def inspect
        "#<#{self.class}>"
      end
    end
  end
end

module Puppet
  # Renders one template, which may stand in for an answer while another asks.
  module Parser
    def self.render(evaluator, given)
      file = given['file']
      wrapper = TemplateWrapper.new(Scope.new(evaluator), file, given['variables'])
      evaluator.tell(text: Values.text(wrapper.result(given['text'])))
    rescue StandardError, ScriptError, SystemStackError => e
      evaluator.tell(failure(e, file))
    end
  end
end

def failure(problem, file)
  places = problem.is_a?(SyntaxError) ? [] : problem.backtrace_locations || []
  place = places.find { |location| location.path == file } || places.first
  message = problem.respond_to?(:original_message) ? problem.original_message : problem.message
  line = place ? place.lineno : message[/:(\d+):/, 1]
  { raise: Puppet::Values.text(message).strip, line: line && line.to_i }
end

# what a template writes by itself is no part of the conversation
output = $stdout.dup
$stdout.reopen($stderr)
evaluator = Puppet::Evaluator.new($stdin, output)
evaluator.each_template { |given| Puppet::Parser.render(evaluator, given) }
