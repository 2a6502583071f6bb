# frozen_string_literal: true

# With the released Puppet's library: its tools, types and values are used; the parts that call functions and declare
# resources are replaced by callbacks.

# no file of an installation is read or written: not even root can create one there
NOWHERE = '/dev/null/puppet'
Puppet.initialize_settings(['--confdir', NOWHERE, '--vardir', Companion::Vardir::PATH, '--rundir', NOWHERE, '--logdir', NOWHERE])
Puppet[:log_level] = :info
Puppet::Util::Log.close_all

Puppet::Util::Log.newdesttype(:companion) do
  match 'Companion::Destination'
  def initialize(_given); end

  def handle(message)
    Companion.evaluator.log(message.level, message.message)
  end
end

module Puppet
  remove_const(:Functions)

  module Parser
    remove_const(:Functions)
    remove_const(:Resource) if const_defined?(:Resource, false)
  end
end

module Companion
  class Destination; end

  class GivenError < Puppet::ParseError
    include Raised
  end

  # The types and the environment of the library.
  module Library
    class << self
      # A type that the library cannot parse becomes a handle of the evaluator's type.
      def type(source, number, key)
        return reference(*key) if key

        found = Puppet::Pops::Types::TypeParser.singleton.parse(source)
        known?(found) ? found : GivenType.new(source, number)
      rescue StandardError
        GivenType.new(source, number)
      end

      def begin_program(modulepath, settings)
        Puppet[:strict] = settings['strict'].to_sym
        Puppet.version = settings['version']
        Loading.search_modules # code of Puppet loads from there
        environment = Puppet::Node::Environment.create(settings['environment'].to_sym, modulepath)
        Puppet.pop_context if @pushed
        Puppet::Util::Log.newdestination(Destination.new) unless @pushed
        Puppet.push_context({ current_environment: environment, root_environment: environment })
        @pushed = true
        Puppet.clear_deprecation_warnings
      end

      private

      def reference(kind, title)
        factory = Puppet::Pops::Types::TypeFactory
        kind == 'class' ? factory.host_class(title) : factory.resource(kind, title)
      end

      def known?(type)
        return false if type.is_a?(Puppet::Pops::Types::PTypeReferenceType)

        found = true
        acceptor = Puppet::Pops::Types::NoopTypeAcceptor.new
        acceptor.define_singleton_method(:visit) do |part, _guard|
          found &&= !part.is_a?(Puppet::Pops::Types::PTypeReferenceType)
        end
        type.accept(acceptor, nil)
        found
      end
    end
  end

  # The evaluator parses types of modules.
  module ParsesByCallback
    def parse(text, context = nil)
      context.is_a?(Scope) ? Companion.evaluator.query('type', text: text) : super
    end
  end
  Puppet::Pops::Types::TypeParser.prepend(ParsesByCallback)

  # The evaluator tests instances of its own types.
  module TestsByCallback
    def instance?(type, value)
      type.is_a?(GivenType) ? type.instance?(value) : super
    end
  end
  Puppet::Pops::Types::TypeCalculator.singleton_class.prepend(TestsByCallback)
  Puppet::Pops::Types::TypeCalculator.prepend(TestsByCallback)

  # The evaluator describes mismatches of its own types.
  module DescribesByCallback
    def describe_mismatch(name, expected, actual, *rest)
      return super unless expected.is_a?(GivenType)

      Companion.evaluator.query('mismatch', name: name, expected: Values.encode(expected), actual: Values.encode(actual))
    end
  end
  Puppet::Pops::Types::TypeMismatchDescriber.prepend(DescribesByCallback)
end
