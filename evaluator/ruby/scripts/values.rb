# frozen_string_literal: true

# Conversion of values. In messages they are JSON's own values, or one of
#   {"h": pairs}  {"r": source}  {"s": value}  {"d": 1} (default)  {"b": Base64}  {"y": text} (type)  {"v", "w": text}
#   (version, range of versions)  {"t", "i": nanoseconds} (Timestamp, Timespan)  {"u": text} (URI)
#   {"c": [type, title]} (resource)  {"l": number, "takes", "splat"} (lambda)
#   {"z": number} (scope)  {"x": text, "class"} (a symbol, or another object of Ruby that the evaluator passes back)
#   {"n": class, "text"} (an object that only Ruby has)  {"o": number, "class", "text"} (a handle of anything else)
module Companion
  Types = Puppet::Pops::Types

  # A handle of a value that Ruby can only print and pass back.
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

    def respond_to_missing?(name, _private = false)
      !name.start_with?('to_') && name.match?(/\A[a-z]\w*\z/)
    end

    # Methods of the value are called in the evaluator.
    def method_missing(name, *arguments, &block)
      return super unless respond_to_missing?(name)

      Companion.evaluator.query('member', number: number, name: name.to_s, block: block, arguments: Values.encode(arguments))
    end
  end

  # The context argument of functions that provide data.
  class Context < Opaque
    FILES = {} # rubocop:disable Style/MutableConstant

    # The text of a file, or the value of the first block for it, cached until the file changes.
    def cached_file_data(path)
      text = method_missing(:cached_file_data, path)
      FILES[path] = [text, block_given? ? yield(text) : text] unless FILES[path]&.first == text
      FILES[path].last
    end
  end

  # A type that only the evaluator has, such as an alias of a module.
  class GivenType < Types::PAnyType
    attr_reader :number, :text
    alias to_s text
    alias inspect text

    def initialize(text, number)
      super()
      @text = text
      @number = number
    end

    def instance?(value, _guard = nil)
      Companion.evaluator.query('instance', number: number, value: Values.encode(value))
    end

    def ==(other)
      other.is_a?(GivenType) && other.text == text
    end
    alias eql? ==

    def hash
      text.hash
    end
  end

  # The converter, in both directions.
  module Values
    module_function

    def decode(value)
      case value
      when Array then value.map { |entry| decode(entry) }
      when Hash then DECODERS.fetch(value.keys.first).call(value.values.first, value)
      else value
      end
    end

    def encode(value)
      case value
      when nil, true, false, Integer, Float then value
      when String then text(value)
      when Symbol then symbol(value)
      when Array then value.map { |entry| encode(entry) }
      when Hash then { h: value.map { |key, entry| [encode(key), encode(entry)] } }
      else rich(value)
      end
    end

    def text(value)
      text = value.to_s
      text = text.dup.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::BINARY
      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    def symbol(value)
      case value
      when :undef then nil
      when :default then { d: 1 }
      else { x: value.to_s }
      end
    end

    def rich(value)
      return { z: value.number } if value.is_a?(Scope)
      return { c: [value.type, value.title] } if value.is_a?(Found)
      return { o: value.number } if [Opaque, GivenBlock, GivenType].any? { |kind| value.is_a?(kind) }
      return { y: value.to_s } if value.is_a?(Types::PAnyType)
      return { u: value.to_s } if !Object.autoload?(:URI) && value.is_a?(URI)

      ENCODERS.each { |kind, encoder| return encoder.call(value) if value.is_a?(kind) }
      { n: value.class.name, text: text(value) }
    end

    def block(number, given)
      GivenBlock.make(number, given)
    end

    DECODERS = {
      'h' => ->(pairs, _) { pairs.to_h { |key, entry| [decode(key), decode(entry)] } },
      'r' => ->(source, _) { Regexp.new(source) },
      's' => ->(inner, _) { Types::PSensitiveType::Sensitive.new(decode(inner)) },
      'd' => ->(_, _) { :default },
      'b' => ->(data, _) { Types::PBinaryType::Binary.from_base64_strict(data) },
      'y' => ->(source, given) { Library.type(source, *given.values_at('number', 'key')) },
      'v' => ->(source, _) { SemanticPuppet::Version.parse(source) },
      'w' => ->(source, _) { SemanticPuppet::VersionRange.parse(source) },
      't' => ->(amount, _) { Puppet::Pops::Time::Timestamp.new(amount) },
      'i' => ->(amount, _) { Puppet::Pops::Time::Timespan.new(amount) },
      'u' => ->(source, _) { URI(source) },
      'c' => ->(parts, _) { Puppet::Resource.new(*parts) },
      'l' => ->(number, given) { block(number, given) },
      'x' => ->(text, given) { given['class'] == 'Symbol' ? text.to_sym : text },
      'z' => ->(number, _) { Scope.new(number) },
      'k' => ->(number, given) { Context.new(given.merge('o' => number)) },
      'o' => ->(_, given) { Opaque.new(given) }
    }.freeze

    ENCODERS = {
      Regexp => ->(value) { { r: value.source, options: value.options } },
      Types::PSensitiveType::Sensitive => ->(value) { { s: encode(value.unwrap) } },
      Types::PBinaryType::Binary => ->(value) { { b: [value.binary_buffer].pack('m0') } },
      SemanticPuppet::Version => ->(value) { { v: value.to_s } },
      SemanticPuppet::VersionRange => ->(value) { { w: value.to_s } },
      Puppet::Pops::Time::Timestamp => ->(value) { { t: value.nsecs } },
      Puppet::Pops::Time::Timespan => ->(value) { { i: value.nsecs } },
      Puppet::Resource => ->(value) { { c: [value.type.to_s, value.title.to_s] } },
      Enumerator => ->(value) { encode(value.to_a) }
    }.freeze
  end

  # A lambda of the program.
  class GivenBlock < Proc
    attr_reader :number, :arity

    def self.make(number, given)
      block = new { |*arguments| Companion.evaluator.query('block', number: number, arguments: Values.encode(arguments)) }
      block.known(number, given)
    end

    def known(number, given)
      @number = number
      @arity = given['splat'] ? -given['takes'] - 1 : given['takes']
      self
    end

    def lambda?
      true
    end
  end
end
