# frozen_string_literal: true

# The released Puppet's library: its tools, types and values are there; what calls functions, and what they declare
# resources with, makes way for that of the other side.

# nothing is read from, or written to, the places of an installation
NOWHERE = '/nonexistent/puppet'
Puppet.initialize_settings(['--confdir', NOWHERE, '--vardir', NOWHERE, '--rundir', NOWHERE, '--logdir', NOWHERE])
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
      # What the library cannot read by itself is a type of the other side.
      def type(source, number, key)
        return reference(*key) if key

        found = Puppet::Pops::Types::TypeParser.singleton.parse(source)
        known?(found) ? found : GivenType.new(source, number)
      rescue StandardError
        GivenType.new(source, number)
      end

      def begin_program(modulepath)
        environment = Puppet::Node::Environment.create(:production, modulepath)
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

  # Types of modules are read by the other side.
  module Reading
    def parse(text, context = nil)
      context.is_a?(Scope) ? Companion.evaluator.ask('type', text: text) : super
    end
  end
  Puppet::Pops::Types::TypeParser.prepend(Reading)

  # Types of the other side are asked there.
  module Asking
    def instance?(type, value)
      type.is_a?(GivenType) ? type.instance?(value) : super
    end
  end
  Puppet::Pops::Types::TypeCalculator.singleton_class.prepend(Asking)
  Puppet::Pops::Types::TypeCalculator.prepend(Asking)

  # So are the reasons why they do not fit.
  module Describing
    def describe_mismatch(name, expected, actual, *rest)
      return super unless expected.is_a?(GivenType)

      Companion.evaluator.ask('mismatch', name: name, expected: Values.encode(expected), actual: Values.encode(actual))
    end
  end
  Puppet::Pops::Types::TypeMismatchDescriber.prepend(Describing)
end
